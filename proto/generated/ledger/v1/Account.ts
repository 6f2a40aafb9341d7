// Original file: proto/admin.proto


export interface Account {
  'accountId'?: (string);
  'plan'?: (string);
  'createdAt'?: (string);
  'deletedAt'?: (string);
  '_deletedAt'?: "deletedAt";
}

export interface Account__Output {
  'accountId': (string);
  'plan': (string);
  'createdAt': (string);
  'deletedAt'?: (string);
  '_deletedAt'?: "deletedAt";
}
