/** For a container's HEALTHCHECK: exits with 0 while the worker of this machine says, over gRPC, that it serves. */
import { createLedgerClient } from '../proto/ledger.ts';
import { readConfig } from './config.ts';

const { LISTEN_ADDRESS } = readConfig(process.env);
const port = LISTEN_ADDRESS.slice(LISTEN_ADDRESS.lastIndexOf(':') + 1);
const client = createLedgerClient(`127.0.0.1:${port}`, {});
const status = await client.checkHealth('ledger.v1.Ledger', { deadline: Date.now() + 2_000 });
process.exit(status === 'SERVING' ? 0 : 1);
