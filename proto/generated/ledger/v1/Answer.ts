// Original file: proto/ledger.proto

import type { AuthenticateReply as _ledger_v1_AuthenticateReply, AuthenticateReply__Output as _ledger_v1_AuthenticateReply__Output } from '../../ledger/v1/AuthenticateReply';
import type { ListSourcesReply as _ledger_v1_ListSourcesReply, ListSourcesReply__Output as _ledger_v1_ListSourcesReply__Output } from '../../ledger/v1/ListSourcesReply';
import type { ListEntriesReply as _ledger_v1_ListEntriesReply, ListEntriesReply__Output as _ledger_v1_ListEntriesReply__Output } from '../../ledger/v1/ListEntriesReply';
import type { CreateEntriesReply as _ledger_v1_CreateEntriesReply, CreateEntriesReply__Output as _ledger_v1_CreateEntriesReply__Output } from '../../ledger/v1/CreateEntriesReply';
import type { Failure as _ledger_v1_Failure, Failure__Output as _ledger_v1_Failure__Output } from '../../ledger/v1/Failure';

export interface Answer {
  'index'?: (number);
  'authenticate'?: (_ledger_v1_AuthenticateReply | null);
  'listSources'?: (_ledger_v1_ListSourcesReply | null);
  'listEntries'?: (_ledger_v1_ListEntriesReply | null);
  'createEntries'?: (_ledger_v1_CreateEntriesReply | null);
  'failure'?: (_ledger_v1_Failure | null);
  'answer'?: "authenticate"|"listSources"|"listEntries"|"createEntries"|"failure";
}

export interface Answer__Output {
  'index': (number);
  'authenticate'?: (_ledger_v1_AuthenticateReply__Output | null);
  'listSources'?: (_ledger_v1_ListSourcesReply__Output | null);
  'listEntries'?: (_ledger_v1_ListEntriesReply__Output | null);
  'createEntries'?: (_ledger_v1_CreateEntriesReply__Output | null);
  'failure'?: (_ledger_v1_Failure__Output | null);
  'answer'?: "authenticate"|"listSources"|"listEntries"|"createEntries"|"failure";
}
