// Original file: proto/ledger.proto

import type { AuthenticateResponse as _ledger_v1_AuthenticateResponse, AuthenticateResponse__Output as _ledger_v1_AuthenticateResponse__Output } from '../../ledger/v1/AuthenticateResponse';
import type { ListSourcesResponse as _ledger_v1_ListSourcesResponse, ListSourcesResponse__Output as _ledger_v1_ListSourcesResponse__Output } from '../../ledger/v1/ListSourcesResponse';
import type { ListEntriesResponse as _ledger_v1_ListEntriesResponse, ListEntriesResponse__Output as _ledger_v1_ListEntriesResponse__Output } from '../../ledger/v1/ListEntriesResponse';
import type { CreateEntriesResponse as _ledger_v1_CreateEntriesResponse, CreateEntriesResponse__Output as _ledger_v1_CreateEntriesResponse__Output } from '../../ledger/v1/CreateEntriesResponse';
import type { Failure as _ledger_v1_Failure, Failure__Output as _ledger_v1_Failure__Output } from '../../ledger/v1/Failure';

export interface LedgerResponse {
  'index'?: (number);
  'authenticate'?: (_ledger_v1_AuthenticateResponse | null);
  'listSources'?: (_ledger_v1_ListSourcesResponse | null);
  'listEntries'?: (_ledger_v1_ListEntriesResponse | null);
  'createEntries'?: (_ledger_v1_CreateEntriesResponse | null);
  'failure'?: (_ledger_v1_Failure | null);
  'result'?: "authenticate"|"listSources"|"listEntries"|"createEntries"|"failure";
}

export interface LedgerResponse__Output {
  'index': (number);
  'authenticate'?: (_ledger_v1_AuthenticateResponse__Output | null);
  'listSources'?: (_ledger_v1_ListSourcesResponse__Output | null);
  'listEntries'?: (_ledger_v1_ListEntriesResponse__Output | null);
  'createEntries'?: (_ledger_v1_CreateEntriesResponse__Output | null);
  'failure'?: (_ledger_v1_Failure__Output | null);
  'result'?: "authenticate"|"listSources"|"listEntries"|"createEntries"|"failure";
}
