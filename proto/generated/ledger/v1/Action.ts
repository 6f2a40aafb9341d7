// Original file: proto/admin.proto


export interface Action {
  'id'?: (string);
  'at'?: (string);
  'accountId'?: (string);
  'actor'?: (string);
  'action'?: (string);
  'details'?: (string);
}

export interface Action__Output {
  'id': (string);
  'at': (string);
  'accountId': (string);
  'actor': (string);
  'action': (string);
  'details': (string);
}
