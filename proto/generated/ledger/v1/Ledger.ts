// Original file: proto/ledger.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { AskReply as _ledger_v1_AskReply, AskReply__Output as _ledger_v1_AskReply__Output } from '../../ledger/v1/AskReply';
import type { AskRequest as _ledger_v1_AskRequest, AskRequest__Output as _ledger_v1_AskRequest__Output } from '../../ledger/v1/AskRequest';

export interface LedgerClient extends grpc.Client {
  Ask(metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientDuplexStream<_ledger_v1_AskRequest, _ledger_v1_AskReply__Output>;
  Ask(options?: grpc.CallOptions): grpc.ClientDuplexStream<_ledger_v1_AskRequest, _ledger_v1_AskReply__Output>;
  ask(metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientDuplexStream<_ledger_v1_AskRequest, _ledger_v1_AskReply__Output>;
  ask(options?: grpc.CallOptions): grpc.ClientDuplexStream<_ledger_v1_AskRequest, _ledger_v1_AskReply__Output>;
  
}

export interface LedgerHandlers extends grpc.UntypedServiceImplementation {
  Ask: grpc.handleBidiStreamingCall<_ledger_v1_AskRequest__Output, _ledger_v1_AskReply>;
  
}

export interface LedgerDefinition extends grpc.ServiceDefinition {
  Ask: MethodDefinition<_ledger_v1_AskRequest, _ledger_v1_AskReply, _ledger_v1_AskRequest__Output, _ledger_v1_AskReply__Output>
}
