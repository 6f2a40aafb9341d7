// Original file: proto/ledger.proto


export interface Created {
  'newEntries'?: (number);
  'knownEntries'?: (number);
  'resultJson'?: (Buffer | Uint8Array | string);
  'storedJson'?: (Buffer | Uint8Array | string);
  '_resultJson'?: "resultJson";
  '_storedJson'?: "storedJson";
}

export interface Created__Output {
  'newEntries': (number);
  'knownEntries': (number);
  'resultJson'?: (Buffer);
  'storedJson'?: (Buffer);
  '_resultJson'?: "resultJson";
  '_storedJson'?: "storedJson";
}
