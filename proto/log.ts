/** How both processes log: a JSON object on each line of standard output. */
import pino, { type Logger } from 'pino';

// Some ten thousand lines.
const WAITING_BYTES_MAX = 4 * 1024 * 1024;

/**
 * A log that waits for nobody: while its reader stands still, lines are kept up to a bound, and beyond it left out.
 * Before the process exits, `flush` waits for them.
 */
export function createLog(service: string): Logger {
  return pino(
    { base: { service } },
    // With a least length of 0 the library's "flush" would not wait for what is being written.
    pino.destination({ dest: 1, sync: false, minLength: 1, maxLength: WAITING_BYTES_MAX }),
  );
}
