// Original file: proto/ledger.proto


export interface Failure {
  'code'?: (number);
  'details'?: (string);
}

export interface Failure__Output {
  'code': (number);
  'details': (string);
}
