// Original file: proto/ledger.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { ExecuteRequest as _ledger_v1_ExecuteRequest, ExecuteRequest__Output as _ledger_v1_ExecuteRequest__Output } from '../../ledger/v1/ExecuteRequest';
import type { ExecuteResponse as _ledger_v1_ExecuteResponse, ExecuteResponse__Output as _ledger_v1_ExecuteResponse__Output } from '../../ledger/v1/ExecuteResponse';

export interface LedgerClient extends grpc.Client {
  Execute(metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientDuplexStream<_ledger_v1_ExecuteRequest, _ledger_v1_ExecuteResponse__Output>;
  Execute(options?: grpc.CallOptions): grpc.ClientDuplexStream<_ledger_v1_ExecuteRequest, _ledger_v1_ExecuteResponse__Output>;
  execute(metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientDuplexStream<_ledger_v1_ExecuteRequest, _ledger_v1_ExecuteResponse__Output>;
  execute(options?: grpc.CallOptions): grpc.ClientDuplexStream<_ledger_v1_ExecuteRequest, _ledger_v1_ExecuteResponse__Output>;
  
}

export interface LedgerHandlers extends grpc.UntypedServiceImplementation {
  Execute: grpc.handleBidiStreamingCall<_ledger_v1_ExecuteRequest__Output, _ledger_v1_ExecuteResponse>;
  
}

export interface LedgerDefinition extends grpc.ServiceDefinition {
  Execute: MethodDefinition<_ledger_v1_ExecuteRequest, _ledger_v1_ExecuteResponse, _ledger_v1_ExecuteRequest__Output, _ledger_v1_ExecuteResponse__Output>
}
