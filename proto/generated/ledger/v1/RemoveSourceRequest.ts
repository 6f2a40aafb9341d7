// Original file: proto/admin.proto


export interface RemoveSourceRequest {
  'id'?: (string);
}

export interface RemoveSourceRequest__Output {
  'id': (string);
}
