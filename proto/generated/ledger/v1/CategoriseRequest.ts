// Original file: proto/admin.proto


export interface CategoriseRequest {
  'accountId'?: (string);
  'sourceId'?: (string);
  'date'?: (string);
  'id'?: (string);
  'category'?: (string);
}

export interface CategoriseRequest__Output {
  'accountId': (string);
  'sourceId': (string);
  'date': (string);
  'id': (string);
  'category': (string);
}
