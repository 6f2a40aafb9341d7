// Original file: proto/admin.proto

import type { Action as _ledger_v1_Action, Action__Output as _ledger_v1_Action__Output } from '../../ledger/v1/Action';

export interface ListActionsResponse {
  'actions'?: (_ledger_v1_Action)[];
  'next'?: (string);
  '_next'?: "next";
}

export interface ListActionsResponse__Output {
  'actions': (_ledger_v1_Action__Output)[];
  'next'?: (string);
  '_next'?: "next";
}
