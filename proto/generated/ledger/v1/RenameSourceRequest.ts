// Original file: proto/admin.proto


export interface RenameSourceRequest {
  'id'?: (string);
  'name'?: (string);
}

export interface RenameSourceRequest__Output {
  'id': (string);
  'name': (string);
}
