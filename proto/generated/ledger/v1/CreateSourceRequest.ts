// Original file: proto/admin.proto


export interface CreateSourceRequest {
  'accountId'?: (string);
  'type'?: (string);
  'name'?: (string);
  'countryCode'?: (string);
  'role'?: (string);
  'sharePercent'?: (number | string);
  '_countryCode'?: "countryCode";
}

export interface CreateSourceRequest__Output {
  'accountId': (string);
  'type': (string);
  'name': (string);
  'countryCode'?: (string);
  'role': (string);
  'sharePercent': (number);
  '_countryCode'?: "countryCode";
}
