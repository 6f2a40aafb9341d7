// Original file: proto/admin.proto


export interface RevokeKeyRequest {
  'keyId'?: (string);
}

export interface RevokeKeyRequest__Output {
  'keyId': (string);
}
