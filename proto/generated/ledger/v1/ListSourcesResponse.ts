// Original file: proto/ledger.proto

import type { Sources as _ledger_v1_Sources, Sources__Output as _ledger_v1_Sources__Output } from '../../ledger/v1/Sources';
import type { Rejection as _ledger_v1_Rejection, Rejection__Output as _ledger_v1_Rejection__Output } from '../../ledger/v1/Rejection';

export interface ListSourcesResponse {
  'sources'?: (_ledger_v1_Sources | null);
  'rejected'?: (_ledger_v1_Rejection);
  'outcome'?: "sources"|"rejected";
}

export interface ListSourcesResponse__Output {
  'sources'?: (_ledger_v1_Sources__Output | null);
  'rejected'?: (_ledger_v1_Rejection__Output);
  'outcome'?: "sources"|"rejected";
}
