// Original file: proto/ledger.proto

import type { Caller as _ledger_v1_Caller, Caller__Output as _ledger_v1_Caller__Output } from '../../ledger/v1/Caller';
import type { Position as _ledger_v1_Position, Position__Output as _ledger_v1_Position__Output } from '../../ledger/v1/Position';

export interface ListEntriesRequest {
  'caller'?: (_ledger_v1_Caller | null);
  'sourceId'?: (string);
  'from'?: (string);
  'to'?: (string);
  'after'?: (_ledger_v1_Position | null);
  'limit'?: (number);
  '_from'?: "from";
  '_to'?: "to";
}

export interface ListEntriesRequest__Output {
  'caller': (_ledger_v1_Caller__Output | null);
  'sourceId': (string);
  'from'?: (string);
  'to'?: (string);
  'after': (_ledger_v1_Position__Output | null);
  'limit': (number);
  '_from'?: "from";
  '_to'?: "to";
}
