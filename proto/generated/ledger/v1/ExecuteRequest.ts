// Original file: proto/ledger.proto

import type { LedgerRequest as _ledger_v1_LedgerRequest, LedgerRequest__Output as _ledger_v1_LedgerRequest__Output } from '../../ledger/v1/LedgerRequest';

export interface ExecuteRequest {
  'requests'?: (_ledger_v1_LedgerRequest)[];
  'cancelled'?: (number)[];
}

export interface ExecuteRequest__Output {
  'requests': (_ledger_v1_LedgerRequest__Output)[];
  'cancelled': (number)[];
}
