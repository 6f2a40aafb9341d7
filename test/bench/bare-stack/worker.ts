/** gRPC in, SQL out: one statement for a call, the service's own for writes. Checks nothing. */
import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData } from '@grpc/grpc-js';
import { openDatabase } from '../../../ledger-worker/database/connection.ts';
import { CALLS } from './rpc.ts';
import { AUTHENTICATE, CREATE, createParameters, PAGE, pageParameters } from './statements.ts';

const { DATABASE_URL = '', POOL_MAX = '10' } = process.env;
const sql = openDatabase({ url: DATABASE_URL, poolMax: Number(POOL_MAX), statementTimeoutMs: 0 });

const query = (statement: string, parameters: ReturnType<typeof createParameters>) =>
  sql.unsafe(statement, parameters, { prepare: true });

const handler =
  (work: (request: ReturnType<typeof JSON.parse>) => Promise<unknown>) =>
  (call: ServerUnaryCall<string, string>, done: sendUnaryData<string>) => {
    work(JSON.parse(call.request)).then(
      (result) => done(null, JSON.stringify(result)),
      (error) => done(error),
    );
  };

const server = new Server();
server.addService(CALLS, {
  create: handler(
    async ({ account, entries }) => (await query(CREATE, createParameters(account, entries)))[0],
  ),
  page: handler(({ account, limit }) => query(PAGE, pageParameters(account, limit))),
  authenticate: handler(async ({ keyHash }) => (await query(AUTHENTICATE, [`\\x${keyHash}`]))[0]),
});
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  console.log(JSON.stringify({ msg: 'listening', address: `127.0.0.1:${port}` }));
});

process.once('SIGTERM', () => {
  server.forceShutdown();
  void sql.end().then(() => process.exit(0));
});
