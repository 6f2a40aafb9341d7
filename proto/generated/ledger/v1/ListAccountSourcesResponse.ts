// Original file: proto/admin.proto

import type { AdminSource as _ledger_v1_AdminSource, AdminSource__Output as _ledger_v1_AdminSource__Output } from '../../ledger/v1/AdminSource';

export interface ListAccountSourcesResponse {
  'sources'?: (_ledger_v1_AdminSource)[];
}

export interface ListAccountSourcesResponse__Output {
  'sources': (_ledger_v1_AdminSource__Output)[];
}
