// Original file: proto/ledger.proto

import type { Sources as _ledger_v1_Sources, Sources__Output as _ledger_v1_Sources__Output } from '../../ledger/v1/Sources';
import type { Refusal as _ledger_v1_Refusal, Refusal__Output as _ledger_v1_Refusal__Output } from '../../ledger/v1/Refusal';

export interface ListSourcesResponse {
  'sources'?: (_ledger_v1_Sources | null);
  'refused'?: (_ledger_v1_Refusal);
  'outcome'?: "sources"|"refused";
}

export interface ListSourcesResponse__Output {
  'sources'?: (_ledger_v1_Sources__Output | null);
  'refused'?: (_ledger_v1_Refusal__Output);
  'outcome'?: "sources"|"refused";
}
