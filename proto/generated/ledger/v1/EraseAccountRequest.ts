// Original file: proto/admin.proto


export interface EraseAccountRequest {
  'accountId'?: (string);
}

export interface EraseAccountRequest__Output {
  'accountId': (string);
}
