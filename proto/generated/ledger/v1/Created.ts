// Original file: proto/ledger.proto

import type { ExistingEntry as _ledger_v1_ExistingEntry, ExistingEntry__Output as _ledger_v1_ExistingEntry__Output } from '../../ledger/v1/ExistingEntry';

export interface Created {
  'existing'?: (_ledger_v1_ExistingEntry)[];
  'added'?: (number);
  'ids'?: (string)[];
  'resultJson'?: (Buffer | Uint8Array | string);
  'deduplicated'?: (number);
  '_resultJson'?: "resultJson";
  '_deduplicated'?: "deduplicated";
}

export interface Created__Output {
  'existing': (_ledger_v1_ExistingEntry__Output)[];
  'added': (number);
  'ids': (string)[];
  'resultJson'?: (Buffer);
  'deduplicated'?: (number);
  '_resultJson'?: "resultJson";
  '_deduplicated'?: "deduplicated";
}
