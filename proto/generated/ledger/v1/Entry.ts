// Original file: proto/ledger.proto

import type { Long } from '@grpc/proto-loader';

export interface Entry {
  'id'?: (string);
  'date'?: (string);
  'type'?: (string);
  'amountPence'?: (number | string | Long);
  'category'?: (string);
  'description'?: (string);
  'externalRef'?: (string);
  '_category'?: "category";
  '_description'?: "description";
  '_externalRef'?: "externalRef";
}

export interface Entry__Output {
  'id': (string);
  'date': (string);
  'type': (string);
  'amountPence': (number);
  'category'?: (string);
  'description'?: (string);
  'externalRef'?: (string);
  '_category'?: "category";
  '_description'?: "description";
  '_externalRef'?: "externalRef";
}
