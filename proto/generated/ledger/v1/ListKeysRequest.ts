// Original file: proto/admin.proto


export interface ListKeysRequest {
  'accountId'?: (string);
}

export interface ListKeysRequest__Output {
  'accountId': (string);
}
