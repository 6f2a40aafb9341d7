// Original file: proto/admin.proto


export interface RestoreAccountRequest {
  'accountId'?: (string);
}

export interface RestoreAccountRequest__Output {
  'accountId': (string);
}
