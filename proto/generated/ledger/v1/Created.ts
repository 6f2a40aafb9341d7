// Original file: proto/ledger.proto

import type { ExistingEntry as _ledger_v1_ExistingEntry, ExistingEntry__Output as _ledger_v1_ExistingEntry__Output } from '../../ledger/v1/ExistingEntry';

export interface Created {
  'existing'?: (_ledger_v1_ExistingEntry)[];
  'added'?: (number);
  'ids'?: (string)[];
}

export interface Created__Output {
  'existing': (_ledger_v1_ExistingEntry__Output)[];
  'added': (number);
  'ids': (string)[];
}
