/** Programs of the system that tests need besides Bun. */
import { installProgram } from '../../local/install-program.ts';
import { logsDir } from '../fixtures/system.ts';

/** Installs it on Debian as root. @throws Error elsewhere, with what to install */
export async function requireProgram(name: string): Promise<void> {
  if (Bun.which(name) === null) await installProgram(name, logsDir);
  if (Bun.which(name) === null)
    throw new Error(`${name} is missing, and these tests need it. Install it, and run them again.`);
}
