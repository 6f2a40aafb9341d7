// Original file: proto/admin.proto

import type { Long } from '@grpc/proto-loader';

export interface ErasedAccount {
  'accountId'?: (string);
  'entries'?: (number | string | Long);
}

export interface ErasedAccount__Output {
  'accountId': (string);
  'entries': (number);
}
