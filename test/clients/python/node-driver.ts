/** Runs one call for each line of standard input, and writes what it reports as a line of JSON. */
import { createInterface } from 'node:readline';
import { callLibrary } from './library-call.ts';

// A call may wait for a day if the library is broken.
process.stdin.on('end', () => process.exit());

for await (const line of createInterface({ input: process.stdin })) {
  const step = JSON.parse(line);
  const report = await callLibrary(step, step).catch((error) => ({ raised: String(error?.stack ?? error) }));
  process.stdout.write(`${JSON.stringify(report)}\n`);
}
