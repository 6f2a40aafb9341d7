// Original file: proto/ledger.proto


export interface Created {
  'newEntries'?: (number);
  'knownEntries'?: (number);
  'knownJson'?: (Buffer | Uint8Array | string);
  'entriesLeft'?: (number);
  '_knownJson'?: "knownJson";
  '_entriesLeft'?: "entriesLeft";
}

export interface Created__Output {
  'newEntries': (number);
  'knownEntries': (number);
  'knownJson'?: (Buffer);
  'entriesLeft'?: (number);
  '_knownJson'?: "knownJson";
  '_entriesLeft'?: "entriesLeft";
}
