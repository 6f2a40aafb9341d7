// Original file: proto/ledger.proto


export interface Identity {
  'accountId'?: (string);
  'plan'?: (string);
}

export interface Identity__Output {
  'accountId': (string);
  'plan': (string);
}
