// Original file: proto/ledger.proto

import type { Identity as _ledger_v1_Identity, Identity__Output as _ledger_v1_Identity__Output } from '../../ledger/v1/Identity';
import type { Refusal as _ledger_v1_Refusal, Refusal__Output as _ledger_v1_Refusal__Output } from '../../ledger/v1/Refusal';

export interface AuthenticateResponse {
  'identity'?: (_ledger_v1_Identity | null);
  'refused'?: (_ledger_v1_Refusal);
  'outcome'?: "identity"|"refused";
}

export interface AuthenticateResponse__Output {
  'identity'?: (_ledger_v1_Identity__Output | null);
  'refused'?: (_ledger_v1_Refusal__Output);
  'outcome'?: "identity"|"refused";
}
