// Original file: proto/ledger.proto


export interface InvalidCategories {
  'sourceType'?: (string);
  'indexes'?: (number)[];
}

export interface InvalidCategories__Output {
  'sourceType': (string);
  'indexes': (number)[];
}
