// Original file: proto/ledger.proto


export interface ExistingEntry {
  'index'?: (number);
  'id'?: (string);
  'differingFields'?: (string)[];
}

export interface ExistingEntry__Output {
  'index': (number);
  'id': (string);
  'differingFields': (string)[];
}
