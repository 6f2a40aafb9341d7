// Original file: proto/admin.proto


export interface NewKey {
  'keyId'?: (string);
  'key'?: (string);
  'readOnly'?: (boolean);
}

export interface NewKey__Output {
  'keyId': (string);
  'key': (string);
  'readOnly': (boolean);
}
