/** A gRPC server in the place of a worker, which says of itself that it serves. */
import { Server, ServerCredentials, type ServerDuplexStream } from '@grpc/grpc-js';
import { HealthImplementation } from 'grpc-health-check';
import { type AskReply, type AskRequest__Output, LedgerService } from '../proto/ledger.ts';

/** A call of the RPC Ask, as the worker sees it. */
export type ImpostorCall = ServerDuplexStream<AskRequest__Output, AskReply>;

/** Answers the RPC Ask by `ask`, and no other. */
export async function startImpostor(ask: (call: ImpostorCall) => void) {
  const server = new Server();
  server.addService(LedgerService, { Ask: ask });
  new HealthImplementation({ '': 'SERVING', 'ledger.v1.Ledger': 'SERVING' }).addToServer(server);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return { address: `127.0.0.1:${port}`, stop: () => server.forceShutdown() };
}
