import type * as grpc from '@grpc/grpc-js';
import type { EnumTypeDefinition, MessageTypeDefinition } from '@grpc/proto-loader';

import type { Answer as _ledger_v1_Answer, Answer__Output as _ledger_v1_Answer__Output } from './ledger/v1/Answer';
import type { AskReply as _ledger_v1_AskReply, AskReply__Output as _ledger_v1_AskReply__Output } from './ledger/v1/AskReply';
import type { AskRequest as _ledger_v1_AskRequest, AskRequest__Output as _ledger_v1_AskRequest__Output } from './ledger/v1/AskRequest';
import type { AuthenticateReply as _ledger_v1_AuthenticateReply, AuthenticateReply__Output as _ledger_v1_AuthenticateReply__Output } from './ledger/v1/AuthenticateReply';
import type { AuthenticateRequest as _ledger_v1_AuthenticateRequest, AuthenticateRequest__Output as _ledger_v1_AuthenticateRequest__Output } from './ledger/v1/AuthenticateRequest';
import type { Caller as _ledger_v1_Caller, Caller__Output as _ledger_v1_Caller__Output } from './ledger/v1/Caller';
import type { CreateEntriesReply as _ledger_v1_CreateEntriesReply, CreateEntriesReply__Output as _ledger_v1_CreateEntriesReply__Output } from './ledger/v1/CreateEntriesReply';
import type { CreateEntriesRequest as _ledger_v1_CreateEntriesRequest, CreateEntriesRequest__Output as _ledger_v1_CreateEntriesRequest__Output } from './ledger/v1/CreateEntriesRequest';
import type { Created as _ledger_v1_Created, Created__Output as _ledger_v1_Created__Output } from './ledger/v1/Created';
import type { DailyCapReached as _ledger_v1_DailyCapReached, DailyCapReached__Output as _ledger_v1_DailyCapReached__Output } from './ledger/v1/DailyCapReached';
import type { ExistingEntry as _ledger_v1_ExistingEntry, ExistingEntry__Output as _ledger_v1_ExistingEntry__Output } from './ledger/v1/ExistingEntry';
import type { Failure as _ledger_v1_Failure, Failure__Output as _ledger_v1_Failure__Output } from './ledger/v1/Failure';
import type { Idempotency as _ledger_v1_Idempotency, Idempotency__Output as _ledger_v1_Idempotency__Output } from './ledger/v1/Idempotency';
import type { IdempotencyKeyReused as _ledger_v1_IdempotencyKeyReused, IdempotencyKeyReused__Output as _ledger_v1_IdempotencyKeyReused__Output } from './ledger/v1/IdempotencyKeyReused';
import type { Identity as _ledger_v1_Identity, Identity__Output as _ledger_v1_Identity__Output } from './ledger/v1/Identity';
import type { InvalidCategories as _ledger_v1_InvalidCategories, InvalidCategories__Output as _ledger_v1_InvalidCategories__Output } from './ledger/v1/InvalidCategories';
import type { LedgerClient as _ledger_v1_LedgerClient, LedgerDefinition as _ledger_v1_LedgerDefinition } from './ledger/v1/Ledger';
import type { ListEntriesReply as _ledger_v1_ListEntriesReply, ListEntriesReply__Output as _ledger_v1_ListEntriesReply__Output } from './ledger/v1/ListEntriesReply';
import type { ListEntriesRequest as _ledger_v1_ListEntriesRequest, ListEntriesRequest__Output as _ledger_v1_ListEntriesRequest__Output } from './ledger/v1/ListEntriesRequest';
import type { ListSourcesReply as _ledger_v1_ListSourcesReply, ListSourcesReply__Output as _ledger_v1_ListSourcesReply__Output } from './ledger/v1/ListSourcesReply';
import type { ListSourcesRequest as _ledger_v1_ListSourcesRequest, ListSourcesRequest__Output as _ledger_v1_ListSourcesRequest__Output } from './ledger/v1/ListSourcesRequest';
import type { Page as _ledger_v1_Page, Page__Output as _ledger_v1_Page__Output } from './ledger/v1/Page';
import type { Position as _ledger_v1_Position, Position__Output as _ledger_v1_Position__Output } from './ledger/v1/Position';
import type { Question as _ledger_v1_Question, Question__Output as _ledger_v1_Question__Output } from './ledger/v1/Question';
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
      Answer: MessageTypeDefinition<_ledger_v1_Answer, _ledger_v1_Answer__Output>
      AskReply: MessageTypeDefinition<_ledger_v1_AskReply, _ledger_v1_AskReply__Output>
      AskRequest: MessageTypeDefinition<_ledger_v1_AskRequest, _ledger_v1_AskRequest__Output>
      AuthenticateReply: MessageTypeDefinition<_ledger_v1_AuthenticateReply, _ledger_v1_AuthenticateReply__Output>
      AuthenticateRequest: MessageTypeDefinition<_ledger_v1_AuthenticateRequest, _ledger_v1_AuthenticateRequest__Output>
      Caller: MessageTypeDefinition<_ledger_v1_Caller, _ledger_v1_Caller__Output>
      CreateEntriesReply: MessageTypeDefinition<_ledger_v1_CreateEntriesReply, _ledger_v1_CreateEntriesReply__Output>
      CreateEntriesRequest: MessageTypeDefinition<_ledger_v1_CreateEntriesRequest, _ledger_v1_CreateEntriesRequest__Output>
      Created: MessageTypeDefinition<_ledger_v1_Created, _ledger_v1_Created__Output>
      DailyCapReached: MessageTypeDefinition<_ledger_v1_DailyCapReached, _ledger_v1_DailyCapReached__Output>
      ExistingEntry: MessageTypeDefinition<_ledger_v1_ExistingEntry, _ledger_v1_ExistingEntry__Output>
      Failure: MessageTypeDefinition<_ledger_v1_Failure, _ledger_v1_Failure__Output>
      Idempotency: MessageTypeDefinition<_ledger_v1_Idempotency, _ledger_v1_Idempotency__Output>
      IdempotencyKeyReused: MessageTypeDefinition<_ledger_v1_IdempotencyKeyReused, _ledger_v1_IdempotencyKeyReused__Output>
      Identity: MessageTypeDefinition<_ledger_v1_Identity, _ledger_v1_Identity__Output>
      InvalidCategories: MessageTypeDefinition<_ledger_v1_InvalidCategories, _ledger_v1_InvalidCategories__Output>
      Ledger: SubtypeConstructor<typeof grpc.Client, _ledger_v1_LedgerClient> & { service: _ledger_v1_LedgerDefinition }
      ListEntriesReply: MessageTypeDefinition<_ledger_v1_ListEntriesReply, _ledger_v1_ListEntriesReply__Output>
      ListEntriesRequest: MessageTypeDefinition<_ledger_v1_ListEntriesRequest, _ledger_v1_ListEntriesRequest__Output>
      ListSourcesReply: MessageTypeDefinition<_ledger_v1_ListSourcesReply, _ledger_v1_ListSourcesReply__Output>
      ListSourcesRequest: MessageTypeDefinition<_ledger_v1_ListSourcesRequest, _ledger_v1_ListSourcesRequest__Output>
      Page: MessageTypeDefinition<_ledger_v1_Page, _ledger_v1_Page__Output>
      Position: MessageTypeDefinition<_ledger_v1_Position, _ledger_v1_Position__Output>
      Question: MessageTypeDefinition<_ledger_v1_Question, _ledger_v1_Question__Output>
      Rejection: EnumTypeDefinition
      Source: MessageTypeDefinition<_ledger_v1_Source, _ledger_v1_Source__Output>
      SourceNotFound: MessageTypeDefinition<_ledger_v1_SourceNotFound, _ledger_v1_SourceNotFound__Output>
      Sources: MessageTypeDefinition<_ledger_v1_Sources, _ledger_v1_Sources__Output>
      TraceContext: MessageTypeDefinition<_ledger_v1_TraceContext, _ledger_v1_TraceContext__Output>
    }
  }
}

