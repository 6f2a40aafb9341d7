// Original file: proto/admin.proto


export interface CreateKeyRequest {
  'accountId'?: (string);
}

export interface CreateKeyRequest__Output {
  'accountId': (string);
}
