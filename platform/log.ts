/** The log of both processes: one JSON object per line on standard output. */
import pino, { type Logger } from 'pino';

// About ten thousand lines.
const BUFFER_BYTES_MAX = 4 * 1024 * 1024;
// A write per line would cost a loaded gateway more than formatting the line.
const FLUSH_EVERY_MS = 20;
const WARN = pino.levels.values.warn as number;

/**
 * A log that never blocks the process. Lines are written in batches; a warning or an error is written at once, because it
 * may be the last line. While the reader is stuck or the disk is full, lines are buffered up to a limit and then dropped.
 * `flush` waits for the buffered lines; call it before the process exits.
 */
export function createLog(service: string): Logger {
  const destination = pino.destination({
    dest: 1,
    sync: false,
    // With a minLength of 0, the library's "flush" would not wait for a write in progress.
    minLength: 1,
    maxLength: BUFFER_BYTES_MAX,
  });
  // A failed write must not end the process.
  destination.on('error', () => {});
  // The library calls it at exit and repeats it while it fails, so the process would never end.
  destination.flushSync = () => {};

  let lines = '';
  const write = () => {
    if (lines !== '') destination.write(lines);
    lines = '';
  };
  const batching = {
    // Makes the library set lastLevel for each line.
    [pino.symbols.needsMetadataGsym]: true as const,
    lastLevel: 0,
    write(line: string) {
      if (lines === '') setTimeout(write, FLUSH_EVERY_MS);
      lines += line;
      if (this.lastLevel >= WARN) write();
    },
    flush(written: (error?: Error) => void) {
      write();
      destination.flush(written);
    },
  };
  return pino({ base: { service } }, batching);
}
