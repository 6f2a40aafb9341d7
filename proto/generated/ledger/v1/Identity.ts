// Original file: proto/ledger.proto


export interface Identity {
  'accountId'?: (string);
  'plan'?: (string);
  'readOnly'?: (boolean);
}

export interface Identity__Output {
  'accountId': (string);
  'plan': (string);
  'readOnly': (boolean);
}
