/** For a container's HEALTHCHECK: exits with 0 while the gateway of this machine says that it can serve. */
import { readConfig } from './config.ts';

const { PORT, TLS_CERT_FILE } = readConfig(process.env);
const response = await fetch(`${TLS_CERT_FILE ? 'https' : 'http'}://127.0.0.1:${PORT}/readyz`, {
  signal: AbortSignal.timeout(2_000),
  // Its certificate has the name by which clients call it.
  tls: { rejectUnauthorized: false },
});
process.exit(response.ok ? 0 : 1);
