// Original file: proto/admin.proto


export interface ListUncategorisedRequest {
  'accountId'?: (string);
  'sourceId'?: (string);
  'after'?: (string);
  'limit'?: (number);
  '_sourceId'?: "sourceId";
  '_after'?: "after";
}

export interface ListUncategorisedRequest__Output {
  'accountId': (string);
  'sourceId'?: (string);
  'after'?: (string);
  'limit': (number);
  '_sourceId'?: "sourceId";
  '_after'?: "after";
}
