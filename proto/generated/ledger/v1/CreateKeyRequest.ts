// Original file: proto/admin.proto


export interface CreateKeyRequest {
  'accountId'?: (string);
  'readOnly'?: (boolean);
}

export interface CreateKeyRequest__Output {
  'accountId': (string);
  'readOnly': (boolean);
}
