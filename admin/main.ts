/** `bun run admin`: runs one command and ends with its exit code. */
import { runCommand } from './commands.ts';
import { readConfig } from './config.ts';

process.exit(await runCommand(process.argv.slice(2), () => readConfig(process.env), console));
