// Original file: proto/ledger.proto


export interface Idempotency {
  'key'?: (string);
  'fingerprint'?: (Buffer | Uint8Array | string);
}

export interface Idempotency__Output {
  'key': (string);
  'fingerprint': (Buffer);
}
