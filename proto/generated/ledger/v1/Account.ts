// Original file: proto/admin.proto


export interface Account {
  'accountId'?: (string);
  'plan'?: (string);
  'createdAt'?: (string);
}

export interface Account__Output {
  'accountId': (string);
  'plan': (string);
  'createdAt': (string);
}
