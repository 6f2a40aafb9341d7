// Original file: proto/admin.proto


export interface CreateAccountRequest {
  'plan'?: (string);
}

export interface CreateAccountRequest__Output {
  'plan': (string);
}
