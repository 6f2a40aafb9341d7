/** A container's HEALTHCHECK: exits with 0 while the local gateway is ready. */
import { readConfig } from './config.ts';

const { PORT, TLS_CERT_FILE } = readConfig(process.env);
const response = await fetch(`${TLS_CERT_FILE ? 'https' : 'http'}://127.0.0.1:${PORT}/readyz`, {
  signal: AbortSignal.timeout(2_000),
  // The certificate is valid for the public name, not for 127.0.0.1.
  tls: { rejectUnauthorized: false },
});
process.exit(response.ok ? 0 : 1);
