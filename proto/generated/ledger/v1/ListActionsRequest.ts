// Original file: proto/admin.proto


export interface ListActionsRequest {
  'accountId'?: (string);
  'after'?: (string);
  'limit'?: (number);
  '_accountId'?: "accountId";
  '_after'?: "after";
}

export interface ListActionsRequest__Output {
  'accountId'?: (string);
  'after'?: (string);
  'limit': (number);
  '_accountId'?: "accountId";
  '_after'?: "after";
}
