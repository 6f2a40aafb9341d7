// Original file: proto/admin.proto

import type { Long } from '@grpc/proto-loader';

export interface AdminEntry {
  'id'?: (string);
  'sourceId'?: (string);
  'date'?: (string);
  'type'?: (string);
  'category'?: (string);
  'amountPence'?: (number | string | Long);
  'description'?: (string);
  'externalRef'?: (string);
  '_category'?: "category";
  '_description'?: "description";
  '_externalRef'?: "externalRef";
}

export interface AdminEntry__Output {
  'id': (string);
  'sourceId': (string);
  'date': (string);
  'type': (string);
  'category'?: (string);
  'amountPence': (number);
  'description'?: (string);
  'externalRef'?: (string);
  '_category'?: "category";
  '_description'?: "description";
  '_externalRef'?: "externalRef";
}
