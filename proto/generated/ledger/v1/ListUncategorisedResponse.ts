// Original file: proto/admin.proto

import type { AdminEntry as _ledger_v1_AdminEntry, AdminEntry__Output as _ledger_v1_AdminEntry__Output } from '../../ledger/v1/AdminEntry';

export interface ListUncategorisedResponse {
  'entries'?: (_ledger_v1_AdminEntry)[];
  'next'?: (string);
  '_next'?: "next";
}

export interface ListUncategorisedResponse__Output {
  'entries': (_ledger_v1_AdminEntry__Output)[];
  'next'?: (string);
  '_next'?: "next";
}
