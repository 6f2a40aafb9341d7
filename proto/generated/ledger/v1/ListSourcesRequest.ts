// Original file: proto/ledger.proto

import type { Caller as _ledger_v1_Caller, Caller__Output as _ledger_v1_Caller__Output } from '../../ledger/v1/Caller';

export interface ListSourcesRequest {
  'caller'?: (_ledger_v1_Caller | null);
}

export interface ListSourcesRequest__Output {
  'caller': (_ledger_v1_Caller__Output | null);
}
