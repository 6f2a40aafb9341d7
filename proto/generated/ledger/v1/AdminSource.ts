// Original file: proto/admin.proto

import type { Long } from '@grpc/proto-loader';

export interface AdminSource {
  'id'?: (string);
  'accountId'?: (string);
  'name'?: (string);
  'type'?: (string);
  'countryCode'?: (string);
  'role'?: (string);
  'sharePercent'?: (number | string);
  'transactionCount'?: (number | string | Long);
  'createdAt'?: (string);
  'removedAt'?: (string);
  '_countryCode'?: "countryCode";
  '_removedAt'?: "removedAt";
}

export interface AdminSource__Output {
  'id': (string);
  'accountId': (string);
  'name': (string);
  'type': (string);
  'countryCode'?: (string);
  'role': (string);
  'sharePercent': (number);
  'transactionCount': (number);
  'createdAt': (string);
  'removedAt'?: (string);
  '_countryCode'?: "countryCode";
  '_removedAt'?: "removedAt";
}
