// Original file: proto/ledger.proto


export interface Created {
  'newEntries'?: (number);
  'knownEntries'?: (number);
  'storedJson'?: (Buffer | Uint8Array | string);
  'entriesLeft'?: (number);
  '_storedJson'?: "storedJson";
  '_entriesLeft'?: "entriesLeft";
}

export interface Created__Output {
  'newEntries': (number);
  'knownEntries': (number);
  'storedJson'?: (Buffer);
  'entriesLeft'?: (number);
  '_storedJson'?: "storedJson";
  '_entriesLeft'?: "entriesLeft";
}
