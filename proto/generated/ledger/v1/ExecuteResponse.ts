// Original file: proto/ledger.proto

import type { LedgerResponse as _ledger_v1_LedgerResponse, LedgerResponse__Output as _ledger_v1_LedgerResponse__Output } from '../../ledger/v1/LedgerResponse';

export interface ExecuteResponse {
  'responses'?: (_ledger_v1_LedgerResponse)[];
}

export interface ExecuteResponse__Output {
  'responses': (_ledger_v1_LedgerResponse__Output)[];
}
