// Original file: proto/admin.proto


export interface Key {
  'keyId'?: (string);
  'accountId'?: (string);
  'createdAt'?: (string);
  'revokedAt'?: (string);
  'readOnly'?: (boolean);
  '_revokedAt'?: "revokedAt";
}

export interface Key__Output {
  'keyId': (string);
  'accountId': (string);
  'createdAt': (string);
  'revokedAt'?: (string);
  'readOnly': (boolean);
  '_revokedAt'?: "revokedAt";
}
