// Original file: proto/ledger.proto

import type { Long } from '@grpc/proto-loader';

export interface DailyCapReached {
  'entriesLeft'?: (number);
  'retryAfterMs'?: (number | string | Long);
  'index'?: (number);
}

export interface DailyCapReached__Output {
  'entriesLeft': (number);
  'retryAfterMs': (number);
  'index': (number);
}
