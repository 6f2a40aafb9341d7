// Original file: proto/admin.proto

import type { Account as _ledger_v1_Account, Account__Output as _ledger_v1_Account__Output } from '../../ledger/v1/Account';

export interface ListAccountsResponse {
  'accounts'?: (_ledger_v1_Account)[];
}

export interface ListAccountsResponse__Output {
  'accounts': (_ledger_v1_Account__Output)[];
}
