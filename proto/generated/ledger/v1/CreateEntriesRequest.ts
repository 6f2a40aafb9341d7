// Original file: proto/ledger.proto

import type { Caller as _ledger_v1_Caller, Caller__Output as _ledger_v1_Caller__Output } from '../../ledger/v1/Caller';
import type { Idempotency as _ledger_v1_Idempotency, Idempotency__Output as _ledger_v1_Idempotency__Output } from '../../ledger/v1/Idempotency';

export interface CreateEntriesRequest {
  'caller'?: (_ledger_v1_Caller | null);
  'sourceId'?: (string);
  'entriesJson'?: (Buffer | Uint8Array | string);
  'idempotency'?: (_ledger_v1_Idempotency | null);
  'writeId'?: (string);
}

export interface CreateEntriesRequest__Output {
  'caller': (_ledger_v1_Caller__Output | null);
  'sourceId': (string);
  'entriesJson': (Buffer);
  'idempotency': (_ledger_v1_Idempotency__Output | null);
  'writeId': (string);
}
