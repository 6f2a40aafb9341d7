// Original file: proto/ledger.proto

import type { Long } from '@grpc/proto-loader';

export interface Source {
  'id'?: (string);
  'name'?: (string);
  'type'?: (string);
  'countryCode'?: (string);
  'role'?: (string);
  'sharePercent'?: (number | string);
  'transactionCount'?: (number | string | Long);
  '_countryCode'?: "countryCode";
}

export interface Source__Output {
  'id': (string);
  'name': (string);
  'type': (string);
  'countryCode'?: (string);
  'role': (string);
  'sharePercent': (number);
  'transactionCount': (number);
  '_countryCode'?: "countryCode";
}
