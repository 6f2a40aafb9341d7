// Original file: proto/admin.proto


export interface ListAccountSourcesRequest {
  'accountId'?: (string);
}

export interface ListAccountSourcesRequest__Output {
  'accountId': (string);
}
