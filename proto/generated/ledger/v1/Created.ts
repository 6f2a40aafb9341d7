// Original file: proto/ledger.proto


export interface Created {
  'newEntries'?: (number);
  'knownEntries'?: (number);
  'storedJson'?: (Buffer | Uint8Array | string);
  '_storedJson'?: "storedJson";
}

export interface Created__Output {
  'newEntries': (number);
  'knownEntries': (number);
  'storedJson'?: (Buffer);
  '_storedJson'?: "storedJson";
}
