import type * as grpc from '@grpc/grpc-js';
import type { EnumTypeDefinition, MessageTypeDefinition } from '@grpc/proto-loader';

import type { AuthenticateRequest as _ledger_v1_AuthenticateRequest, AuthenticateRequest__Output as _ledger_v1_AuthenticateRequest__Output } from './ledger/v1/AuthenticateRequest';
import type { AuthenticateResponse as _ledger_v1_AuthenticateResponse, AuthenticateResponse__Output as _ledger_v1_AuthenticateResponse__Output } from './ledger/v1/AuthenticateResponse';
import type { Caller as _ledger_v1_Caller, Caller__Output as _ledger_v1_Caller__Output } from './ledger/v1/Caller';
import type { CreateEntriesRequest as _ledger_v1_CreateEntriesRequest, CreateEntriesRequest__Output as _ledger_v1_CreateEntriesRequest__Output } from './ledger/v1/CreateEntriesRequest';
import type { CreateEntriesResponse as _ledger_v1_CreateEntriesResponse, CreateEntriesResponse__Output as _ledger_v1_CreateEntriesResponse__Output } from './ledger/v1/CreateEntriesResponse';
import type { Created as _ledger_v1_Created, Created__Output as _ledger_v1_Created__Output } from './ledger/v1/Created';
import type { DailyCapReached as _ledger_v1_DailyCapReached, DailyCapReached__Output as _ledger_v1_DailyCapReached__Output } from './ledger/v1/DailyCapReached';
import type { ExecuteRequest as _ledger_v1_ExecuteRequest, ExecuteRequest__Output as _ledger_v1_ExecuteRequest__Output } from './ledger/v1/ExecuteRequest';
import type { ExecuteResponse as _ledger_v1_ExecuteResponse, ExecuteResponse__Output as _ledger_v1_ExecuteResponse__Output } from './ledger/v1/ExecuteResponse';
import type { Failure as _ledger_v1_Failure, Failure__Output as _ledger_v1_Failure__Output } from './ledger/v1/Failure';
import type { Idempotency as _ledger_v1_Idempotency, Idempotency__Output as _ledger_v1_Idempotency__Output } from './ledger/v1/Idempotency';
import type { IdempotencyKeyReused as _ledger_v1_IdempotencyKeyReused, IdempotencyKeyReused__Output as _ledger_v1_IdempotencyKeyReused__Output } from './ledger/v1/IdempotencyKeyReused';
import type { Identity as _ledger_v1_Identity, Identity__Output as _ledger_v1_Identity__Output } from './ledger/v1/Identity';
import type { InvalidCategories as _ledger_v1_InvalidCategories, InvalidCategories__Output as _ledger_v1_InvalidCategories__Output } from './ledger/v1/InvalidCategories';
import type { LedgerClient as _ledger_v1_LedgerClient, LedgerDefinition as _ledger_v1_LedgerDefinition } from './ledger/v1/Ledger';
import type { LedgerRequest as _ledger_v1_LedgerRequest, LedgerRequest__Output as _ledger_v1_LedgerRequest__Output } from './ledger/v1/LedgerRequest';
import type { LedgerResponse as _ledger_v1_LedgerResponse, LedgerResponse__Output as _ledger_v1_LedgerResponse__Output } from './ledger/v1/LedgerResponse';
import type { ListEntriesRequest as _ledger_v1_ListEntriesRequest, ListEntriesRequest__Output as _ledger_v1_ListEntriesRequest__Output } from './ledger/v1/ListEntriesRequest';
import type { ListEntriesResponse as _ledger_v1_ListEntriesResponse, ListEntriesResponse__Output as _ledger_v1_ListEntriesResponse__Output } from './ledger/v1/ListEntriesResponse';
import type { ListSourcesRequest as _ledger_v1_ListSourcesRequest, ListSourcesRequest__Output as _ledger_v1_ListSourcesRequest__Output } from './ledger/v1/ListSourcesRequest';
import type { ListSourcesResponse as _ledger_v1_ListSourcesResponse, ListSourcesResponse__Output as _ledger_v1_ListSourcesResponse__Output } from './ledger/v1/ListSourcesResponse';
import type { Page as _ledger_v1_Page, Page__Output as _ledger_v1_Page__Output } from './ledger/v1/Page';
import type { Position as _ledger_v1_Position, Position__Output as _ledger_v1_Position__Output } from './ledger/v1/Position';
import type { Source as _ledger_v1_Source, Source__Output as _ledger_v1_Source__Output } from './ledger/v1/Source';
import type { SourceNotFound as _ledger_v1_SourceNotFound, SourceNotFound__Output as _ledger_v1_SourceNotFound__Output } from './ledger/v1/SourceNotFound';
import type { Sources as _ledger_v1_Sources, Sources__Output as _ledger_v1_Sources__Output } from './ledger/v1/Sources';
import type { TraceContext as _ledger_v1_TraceContext, TraceContext__Output as _ledger_v1_TraceContext__Output } from './ledger/v1/TraceContext';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  ledger: {
    v1: {
      AuthenticateRequest: MessageTypeDefinition<_ledger_v1_AuthenticateRequest, _ledger_v1_AuthenticateRequest__Output>
      AuthenticateResponse: MessageTypeDefinition<_ledger_v1_AuthenticateResponse, _ledger_v1_AuthenticateResponse__Output>
      Caller: MessageTypeDefinition<_ledger_v1_Caller, _ledger_v1_Caller__Output>
      CreateEntriesRequest: MessageTypeDefinition<_ledger_v1_CreateEntriesRequest, _ledger_v1_CreateEntriesRequest__Output>
      CreateEntriesResponse: MessageTypeDefinition<_ledger_v1_CreateEntriesResponse, _ledger_v1_CreateEntriesResponse__Output>
      Created: MessageTypeDefinition<_ledger_v1_Created, _ledger_v1_Created__Output>
      DailyCapReached: MessageTypeDefinition<_ledger_v1_DailyCapReached, _ledger_v1_DailyCapReached__Output>
      ExecuteRequest: MessageTypeDefinition<_ledger_v1_ExecuteRequest, _ledger_v1_ExecuteRequest__Output>
      ExecuteResponse: MessageTypeDefinition<_ledger_v1_ExecuteResponse, _ledger_v1_ExecuteResponse__Output>
      Failure: MessageTypeDefinition<_ledger_v1_Failure, _ledger_v1_Failure__Output>
      Idempotency: MessageTypeDefinition<_ledger_v1_Idempotency, _ledger_v1_Idempotency__Output>
      IdempotencyKeyReused: MessageTypeDefinition<_ledger_v1_IdempotencyKeyReused, _ledger_v1_IdempotencyKeyReused__Output>
      Identity: MessageTypeDefinition<_ledger_v1_Identity, _ledger_v1_Identity__Output>
      InvalidCategories: MessageTypeDefinition<_ledger_v1_InvalidCategories, _ledger_v1_InvalidCategories__Output>
      Ledger: SubtypeConstructor<typeof grpc.Client, _ledger_v1_LedgerClient> & { service: _ledger_v1_LedgerDefinition }
      LedgerRequest: MessageTypeDefinition<_ledger_v1_LedgerRequest, _ledger_v1_LedgerRequest__Output>
      LedgerResponse: MessageTypeDefinition<_ledger_v1_LedgerResponse, _ledger_v1_LedgerResponse__Output>
      ListEntriesRequest: MessageTypeDefinition<_ledger_v1_ListEntriesRequest, _ledger_v1_ListEntriesRequest__Output>
      ListEntriesResponse: MessageTypeDefinition<_ledger_v1_ListEntriesResponse, _ledger_v1_ListEntriesResponse__Output>
      ListSourcesRequest: MessageTypeDefinition<_ledger_v1_ListSourcesRequest, _ledger_v1_ListSourcesRequest__Output>
      ListSourcesResponse: MessageTypeDefinition<_ledger_v1_ListSourcesResponse, _ledger_v1_ListSourcesResponse__Output>
      Page: MessageTypeDefinition<_ledger_v1_Page, _ledger_v1_Page__Output>
      Position: MessageTypeDefinition<_ledger_v1_Position, _ledger_v1_Position__Output>
      Refusal: EnumTypeDefinition
      Source: MessageTypeDefinition<_ledger_v1_Source, _ledger_v1_Source__Output>
      SourceNotFound: MessageTypeDefinition<_ledger_v1_SourceNotFound, _ledger_v1_SourceNotFound__Output>
      Sources: MessageTypeDefinition<_ledger_v1_Sources, _ledger_v1_Sources__Output>
      TraceContext: MessageTypeDefinition<_ledger_v1_TraceContext, _ledger_v1_TraceContext__Output>
    }
  }
}

