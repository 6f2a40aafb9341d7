// Original file: proto/ledger.proto

import type { Entry as _ledger_v1_Entry, Entry__Output as _ledger_v1_Entry__Output } from '../../ledger/v1/Entry';

export interface Page {
  'entries'?: (_ledger_v1_Entry)[];
  'hasMore'?: (boolean);
}

export interface Page__Output {
  'entries': (_ledger_v1_Entry__Output)[];
  'hasMore': (boolean);
}
