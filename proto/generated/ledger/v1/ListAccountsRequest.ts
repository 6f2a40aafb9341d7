// Original file: proto/admin.proto


export interface ListAccountsRequest {
  'after'?: (string);
  'limit'?: (number);
  '_after'?: "after";
}

export interface ListAccountsRequest__Output {
  'after'?: (string);
  'limit': (number);
  '_after'?: "after";
}
