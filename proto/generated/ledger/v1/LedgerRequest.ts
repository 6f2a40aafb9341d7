// Original file: proto/ledger.proto

import type { AuthenticateRequest as _ledger_v1_AuthenticateRequest, AuthenticateRequest__Output as _ledger_v1_AuthenticateRequest__Output } from '../../ledger/v1/AuthenticateRequest';
import type { ListSourcesRequest as _ledger_v1_ListSourcesRequest, ListSourcesRequest__Output as _ledger_v1_ListSourcesRequest__Output } from '../../ledger/v1/ListSourcesRequest';
import type { ListEntriesRequest as _ledger_v1_ListEntriesRequest, ListEntriesRequest__Output as _ledger_v1_ListEntriesRequest__Output } from '../../ledger/v1/ListEntriesRequest';
import type { CreateEntriesRequest as _ledger_v1_CreateEntriesRequest, CreateEntriesRequest__Output as _ledger_v1_CreateEntriesRequest__Output } from '../../ledger/v1/CreateEntriesRequest';
import type { TraceContext as _ledger_v1_TraceContext, TraceContext__Output as _ledger_v1_TraceContext__Output } from '../../ledger/v1/TraceContext';

export interface LedgerRequest {
  'authenticate'?: (_ledger_v1_AuthenticateRequest | null);
  'listSources'?: (_ledger_v1_ListSourcesRequest | null);
  'listEntries'?: (_ledger_v1_ListEntriesRequest | null);
  'createEntries'?: (_ledger_v1_CreateEntriesRequest | null);
  'timeoutMs'?: (number);
  'trace'?: (_ledger_v1_TraceContext | null);
  'method'?: "authenticate"|"listSources"|"listEntries"|"createEntries";
}

export interface LedgerRequest__Output {
  'authenticate'?: (_ledger_v1_AuthenticateRequest__Output | null);
  'listSources'?: (_ledger_v1_ListSourcesRequest__Output | null);
  'listEntries'?: (_ledger_v1_ListEntriesRequest__Output | null);
  'createEntries'?: (_ledger_v1_CreateEntriesRequest__Output | null);
  'timeoutMs': (number);
  'trace': (_ledger_v1_TraceContext__Output | null);
  'method'?: "authenticate"|"listSources"|"listEntries"|"createEntries";
}
