// Original file: proto/ledger.proto


export interface AuthenticateRequest {
  'keyHash'?: (Buffer | Uint8Array | string);
}

export interface AuthenticateRequest__Output {
  'keyHash': (Buffer);
}
