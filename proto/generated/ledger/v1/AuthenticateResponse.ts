// Original file: proto/ledger.proto

import type { Identity as _ledger_v1_Identity, Identity__Output as _ledger_v1_Identity__Output } from '../../ledger/v1/Identity';
import type { Rejection as _ledger_v1_Rejection, Rejection__Output as _ledger_v1_Rejection__Output } from '../../ledger/v1/Rejection';

export interface AuthenticateResponse {
  'identity'?: (_ledger_v1_Identity | null);
  'rejected'?: (_ledger_v1_Rejection);
  'outcome'?: "identity"|"rejected";
}

export interface AuthenticateResponse__Output {
  'identity'?: (_ledger_v1_Identity__Output | null);
  'rejected'?: (_ledger_v1_Rejection__Output);
  'outcome'?: "identity"|"rejected";
}
