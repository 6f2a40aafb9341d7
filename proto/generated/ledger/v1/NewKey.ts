// Original file: proto/admin.proto


export interface NewKey {
  'keyId'?: (string);
  'key'?: (string);
}

export interface NewKey__Output {
  'keyId': (string);
  'key': (string);
}
