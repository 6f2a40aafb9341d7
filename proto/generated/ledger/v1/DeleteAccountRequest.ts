// Original file: proto/admin.proto


export interface DeleteAccountRequest {
  'accountId'?: (string);
}

export interface DeleteAccountRequest__Output {
  'accountId': (string);
}
