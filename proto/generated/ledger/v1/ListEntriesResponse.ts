// Original file: proto/ledger.proto

import type { Page as _ledger_v1_Page, Page__Output as _ledger_v1_Page__Output } from '../../ledger/v1/Page';
import type { Rejection as _ledger_v1_Rejection, Rejection__Output as _ledger_v1_Rejection__Output } from '../../ledger/v1/Rejection';
import type { SourceNotFound as _ledger_v1_SourceNotFound, SourceNotFound__Output as _ledger_v1_SourceNotFound__Output } from '../../ledger/v1/SourceNotFound';

export interface ListEntriesResponse {
  'page'?: (_ledger_v1_Page | null);
  'rejected'?: (_ledger_v1_Rejection);
  'sourceNotFound'?: (_ledger_v1_SourceNotFound | null);
  'outcome'?: "page"|"rejected"|"sourceNotFound";
}

export interface ListEntriesResponse__Output {
  'page'?: (_ledger_v1_Page__Output | null);
  'rejected'?: (_ledger_v1_Rejection__Output);
  'sourceNotFound'?: (_ledger_v1_SourceNotFound__Output | null);
  'outcome'?: "page"|"rejected"|"sourceNotFound";
}
