// Original file: proto/ledger.proto

import type { Long } from '@grpc/proto-loader';

export interface DailyCapReached {
  'fitsNow'?: (number);
  'retryAfterMs'?: (number | string | Long);
  'index'?: (number);
}

export interface DailyCapReached__Output {
  'fitsNow': (number);
  'retryAfterMs': (number);
  'index': (number);
}
