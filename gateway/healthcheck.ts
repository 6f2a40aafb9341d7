/** For a container's HEALTHCHECK: exits with 0 while the gateway of this machine says that it can serve. */
import { readConfig } from './config.ts';

const { PORT } = readConfig(process.env);
const response = await fetch(`http://127.0.0.1:${PORT}/readyz`, { signal: AbortSignal.timeout(2_000) });
process.exit(response.ok ? 0 : 1);
