// Original file: proto/ledger.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { AskReply as _ledger_v1_AskReply, AskReply__Output as _ledger_v1_AskReply__Output } from '../../ledger/v1/AskReply';
import type { AskRequest as _ledger_v1_AskRequest, AskRequest__Output as _ledger_v1_AskRequest__Output } from '../../ledger/v1/AskRequest';
import type { AuthenticateReply as _ledger_v1_AuthenticateReply, AuthenticateReply__Output as _ledger_v1_AuthenticateReply__Output } from '../../ledger/v1/AuthenticateReply';
import type { AuthenticateRequest as _ledger_v1_AuthenticateRequest, AuthenticateRequest__Output as _ledger_v1_AuthenticateRequest__Output } from '../../ledger/v1/AuthenticateRequest';
import type { CreateEntriesReply as _ledger_v1_CreateEntriesReply, CreateEntriesReply__Output as _ledger_v1_CreateEntriesReply__Output } from '../../ledger/v1/CreateEntriesReply';
import type { CreateEntriesRequest as _ledger_v1_CreateEntriesRequest, CreateEntriesRequest__Output as _ledger_v1_CreateEntriesRequest__Output } from '../../ledger/v1/CreateEntriesRequest';
import type { ListEntriesReply as _ledger_v1_ListEntriesReply, ListEntriesReply__Output as _ledger_v1_ListEntriesReply__Output } from '../../ledger/v1/ListEntriesReply';
import type { ListEntriesRequest as _ledger_v1_ListEntriesRequest, ListEntriesRequest__Output as _ledger_v1_ListEntriesRequest__Output } from '../../ledger/v1/ListEntriesRequest';
import type { ListSourcesReply as _ledger_v1_ListSourcesReply, ListSourcesReply__Output as _ledger_v1_ListSourcesReply__Output } from '../../ledger/v1/ListSourcesReply';
import type { ListSourcesRequest as _ledger_v1_ListSourcesRequest, ListSourcesRequest__Output as _ledger_v1_ListSourcesRequest__Output } from '../../ledger/v1/ListSourcesRequest';

export interface LedgerClient extends grpc.Client {
  Ask(metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientDuplexStream<_ledger_v1_AskRequest, _ledger_v1_AskReply__Output>;
  Ask(options?: grpc.CallOptions): grpc.ClientDuplexStream<_ledger_v1_AskRequest, _ledger_v1_AskReply__Output>;
  ask(metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientDuplexStream<_ledger_v1_AskRequest, _ledger_v1_AskReply__Output>;
  ask(options?: grpc.CallOptions): grpc.ClientDuplexStream<_ledger_v1_AskRequest, _ledger_v1_AskReply__Output>;
  
  Authenticate(argument: _ledger_v1_AuthenticateRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_AuthenticateReply__Output>): grpc.ClientUnaryCall;
  Authenticate(argument: _ledger_v1_AuthenticateRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_ledger_v1_AuthenticateReply__Output>): grpc.ClientUnaryCall;
  Authenticate(argument: _ledger_v1_AuthenticateRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_AuthenticateReply__Output>): grpc.ClientUnaryCall;
  Authenticate(argument: _ledger_v1_AuthenticateRequest, callback: grpc.requestCallback<_ledger_v1_AuthenticateReply__Output>): grpc.ClientUnaryCall;
  authenticate(argument: _ledger_v1_AuthenticateRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_AuthenticateReply__Output>): grpc.ClientUnaryCall;
  authenticate(argument: _ledger_v1_AuthenticateRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_ledger_v1_AuthenticateReply__Output>): grpc.ClientUnaryCall;
  authenticate(argument: _ledger_v1_AuthenticateRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_AuthenticateReply__Output>): grpc.ClientUnaryCall;
  authenticate(argument: _ledger_v1_AuthenticateRequest, callback: grpc.requestCallback<_ledger_v1_AuthenticateReply__Output>): grpc.ClientUnaryCall;
  
  CreateEntries(argument: _ledger_v1_CreateEntriesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_CreateEntriesReply__Output>): grpc.ClientUnaryCall;
  CreateEntries(argument: _ledger_v1_CreateEntriesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_ledger_v1_CreateEntriesReply__Output>): grpc.ClientUnaryCall;
  CreateEntries(argument: _ledger_v1_CreateEntriesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_CreateEntriesReply__Output>): grpc.ClientUnaryCall;
  CreateEntries(argument: _ledger_v1_CreateEntriesRequest, callback: grpc.requestCallback<_ledger_v1_CreateEntriesReply__Output>): grpc.ClientUnaryCall;
  createEntries(argument: _ledger_v1_CreateEntriesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_CreateEntriesReply__Output>): grpc.ClientUnaryCall;
  createEntries(argument: _ledger_v1_CreateEntriesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_ledger_v1_CreateEntriesReply__Output>): grpc.ClientUnaryCall;
  createEntries(argument: _ledger_v1_CreateEntriesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_CreateEntriesReply__Output>): grpc.ClientUnaryCall;
  createEntries(argument: _ledger_v1_CreateEntriesRequest, callback: grpc.requestCallback<_ledger_v1_CreateEntriesReply__Output>): grpc.ClientUnaryCall;
  
  ListEntries(argument: _ledger_v1_ListEntriesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_ListEntriesReply__Output>): grpc.ClientUnaryCall;
  ListEntries(argument: _ledger_v1_ListEntriesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_ledger_v1_ListEntriesReply__Output>): grpc.ClientUnaryCall;
  ListEntries(argument: _ledger_v1_ListEntriesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_ListEntriesReply__Output>): grpc.ClientUnaryCall;
  ListEntries(argument: _ledger_v1_ListEntriesRequest, callback: grpc.requestCallback<_ledger_v1_ListEntriesReply__Output>): grpc.ClientUnaryCall;
  listEntries(argument: _ledger_v1_ListEntriesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_ListEntriesReply__Output>): grpc.ClientUnaryCall;
  listEntries(argument: _ledger_v1_ListEntriesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_ledger_v1_ListEntriesReply__Output>): grpc.ClientUnaryCall;
  listEntries(argument: _ledger_v1_ListEntriesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_ListEntriesReply__Output>): grpc.ClientUnaryCall;
  listEntries(argument: _ledger_v1_ListEntriesRequest, callback: grpc.requestCallback<_ledger_v1_ListEntriesReply__Output>): grpc.ClientUnaryCall;
  
  ListSources(argument: _ledger_v1_ListSourcesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_ListSourcesReply__Output>): grpc.ClientUnaryCall;
  ListSources(argument: _ledger_v1_ListSourcesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_ledger_v1_ListSourcesReply__Output>): grpc.ClientUnaryCall;
  ListSources(argument: _ledger_v1_ListSourcesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_ListSourcesReply__Output>): grpc.ClientUnaryCall;
  ListSources(argument: _ledger_v1_ListSourcesRequest, callback: grpc.requestCallback<_ledger_v1_ListSourcesReply__Output>): grpc.ClientUnaryCall;
  listSources(argument: _ledger_v1_ListSourcesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_ListSourcesReply__Output>): grpc.ClientUnaryCall;
  listSources(argument: _ledger_v1_ListSourcesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_ledger_v1_ListSourcesReply__Output>): grpc.ClientUnaryCall;
  listSources(argument: _ledger_v1_ListSourcesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_ListSourcesReply__Output>): grpc.ClientUnaryCall;
  listSources(argument: _ledger_v1_ListSourcesRequest, callback: grpc.requestCallback<_ledger_v1_ListSourcesReply__Output>): grpc.ClientUnaryCall;
  
}

export interface LedgerHandlers extends grpc.UntypedServiceImplementation {
  Ask: grpc.handleBidiStreamingCall<_ledger_v1_AskRequest__Output, _ledger_v1_AskReply>;
  
  Authenticate: grpc.handleUnaryCall<_ledger_v1_AuthenticateRequest__Output, _ledger_v1_AuthenticateReply>;
  
  CreateEntries: grpc.handleUnaryCall<_ledger_v1_CreateEntriesRequest__Output, _ledger_v1_CreateEntriesReply>;
  
  ListEntries: grpc.handleUnaryCall<_ledger_v1_ListEntriesRequest__Output, _ledger_v1_ListEntriesReply>;
  
  ListSources: grpc.handleUnaryCall<_ledger_v1_ListSourcesRequest__Output, _ledger_v1_ListSourcesReply>;
  
}

export interface LedgerDefinition extends grpc.ServiceDefinition {
  Ask: MethodDefinition<_ledger_v1_AskRequest, _ledger_v1_AskReply, _ledger_v1_AskRequest__Output, _ledger_v1_AskReply__Output>
  Authenticate: MethodDefinition<_ledger_v1_AuthenticateRequest, _ledger_v1_AuthenticateReply, _ledger_v1_AuthenticateRequest__Output, _ledger_v1_AuthenticateReply__Output>
  CreateEntries: MethodDefinition<_ledger_v1_CreateEntriesRequest, _ledger_v1_CreateEntriesReply, _ledger_v1_CreateEntriesRequest__Output, _ledger_v1_CreateEntriesReply__Output>
  ListEntries: MethodDefinition<_ledger_v1_ListEntriesRequest, _ledger_v1_ListEntriesReply, _ledger_v1_ListEntriesRequest__Output, _ledger_v1_ListEntriesReply__Output>
  ListSources: MethodDefinition<_ledger_v1_ListSourcesRequest, _ledger_v1_ListSourcesReply, _ledger_v1_ListSourcesRequest__Output, _ledger_v1_ListSourcesReply__Output>
}
