// Original file: proto/ledger.proto

import type { Page as _ledger_v1_Page, Page__Output as _ledger_v1_Page__Output } from '../../ledger/v1/Page';
import type { Refusal as _ledger_v1_Refusal, Refusal__Output as _ledger_v1_Refusal__Output } from '../../ledger/v1/Refusal';
import type { SourceNotFound as _ledger_v1_SourceNotFound, SourceNotFound__Output as _ledger_v1_SourceNotFound__Output } from '../../ledger/v1/SourceNotFound';

export interface ListEntriesResponse {
  'page'?: (_ledger_v1_Page | null);
  'refused'?: (_ledger_v1_Refusal);
  'sourceNotFound'?: (_ledger_v1_SourceNotFound | null);
  'outcome'?: "page"|"refused"|"sourceNotFound";
}

export interface ListEntriesResponse__Output {
  'page'?: (_ledger_v1_Page__Output | null);
  'refused'?: (_ledger_v1_Refusal__Output);
  'sourceNotFound'?: (_ledger_v1_SourceNotFound__Output | null);
  'outcome'?: "page"|"refused"|"sourceNotFound";
}
