/** Programs of the system that tests need besides Bun. */
import { join } from 'node:path';
import { canInstall, installServer } from '../../local/install/server.ts';
import { logsDir } from '../fixtures/system.ts';

const INSTALL_MS_MAX = 10 * 60_000;

/** Installs it on Debian as root. @throws Error elsewhere, with what to install */
export async function requireProgram(name: string): Promise<void> {
  if (Bun.which(name) === null && canInstall()) {
    console.log(`Installing ${name} (apt-get install ${name}) …`);
    const log = join(logsDir, `${name}-install.log`);
    await installServer(name, log, AbortSignal.timeout(INSTALL_MS_MAX)).catch(() => {});
  }
  if (Bun.which(name) === null)
    throw new Error(`${name} is missing, and these tests need it. Install it, and run them again.`);
}
