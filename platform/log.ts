/** How both processes log: a JSON object on each line of standard output. */
import pino, { type Logger } from 'pino';

// Some ten thousand lines.
const WAITING_BYTES_MAX = 4 * 1024 * 1024;
// A write for each line would cost a busy gateway more than the line itself.
const TOGETHER_MS = 20;
const WARN = pino.levels.values.warn as number;

/**
 * A log that waits for nobody: lines of the same moment are written together, up to a warning or an error, which may be the
 * last that the process has to say. While the reader stands still, or the disk is full, they are kept up to a bound, and
 * beyond it left out. Before the process exits, `flush` waits for them.
 */
export function createLog(service: string): Logger {
  const destination = pino.destination({
    dest: 1,
    sync: false,
    // With a least length of 0 the library's "flush" would not wait for what is being written.
    minLength: 1,
    maxLength: WAITING_BYTES_MAX,
  });
  // What cannot be written ends nobody.
  destination.on('error', () => {});
  // The library calls it at the exit, and it tries for as long as it fails: the process would never end.
  destination.flushSync = () => {};

  let lines = '';
  const write = () => {
    if (lines !== '') destination.write(lines);
    lines = '';
  };
  const together = {
    // Asks the library for the level of each line.
    [pino.symbols.needsMetadataGsym]: true as const,
    lastLevel: 0,
    write(line: string) {
      if (lines === '') setTimeout(write, TOGETHER_MS);
      lines += line;
      if (this.lastLevel >= WARN) write();
    },
    flush(written: (error?: Error) => void) {
      write();
      destination.flush(written);
    },
  };
  return pino({ base: { service } }, together);
}
