/** A container's HEALTHCHECK: exits with 0 while the local worker reports SERVING by the gRPC health protocol. */
import { fixedCertificates } from '../platform/certificates.ts';
import { mutualTlsFiles } from '../platform/environment.ts';
import { clientSecurity } from '../platform/mutual-tls.ts';
import { createLedgerClient } from '../proto/client.ts';
import { readConfig } from './config.ts';

const { LISTEN_ADDRESS, ...config } = readConfig(process.env);
const address = `127.0.0.1:${LISTEN_ADDRESS.slice(LISTEN_ADDRESS.lastIndexOf(':') + 1)}`;
const files = mutualTlsFiles(config);
// The certificate is valid for the worker's name, not for 127.0.0.1.
const security = clientSecurity(address, files && fixedCertificates(files), { anyName: true });
const client = createLedgerClient(address, {}, security);
const status = await client.checkHealth('ledger.v1.Ledger', { deadline: Date.now() + 2_000 });
process.exit(status === 'SERVING' ? 0 : 1);
