// Original file: proto/ledger.proto


export interface Created {
  'newEntries'?: (number);
  'knownEntries'?: (number);
  'resultJson'?: (Buffer | Uint8Array | string);
  '_resultJson'?: "resultJson";
}

export interface Created__Output {
  'newEntries': (number);
  'knownEntries': (number);
  'resultJson'?: (Buffer);
  '_resultJson'?: "resultJson";
}
