// Original file: proto/ledger.proto


export interface Caller {
  'keyHash'?: (Buffer | Uint8Array | string);
  'accountId'?: (string);
}

export interface Caller__Output {
  'keyHash': (Buffer);
  'accountId': (string);
}
