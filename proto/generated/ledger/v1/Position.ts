// Original file: proto/ledger.proto


export interface Position {
  'date'?: (string);
  'id'?: (string);
}

export interface Position__Output {
  'date': (string);
  'id': (string);
}
