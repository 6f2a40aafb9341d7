/** When lines of the log are written. */
import { expect, test } from 'bun:test';
import { join } from 'node:path';

const LOG = join(import.meta.dir, '../../platform/log.ts');

test('a warning, and what was said before it, is written even if the process has no turn left', async () => {
  const script = `
    import { createLog } from ${JSON.stringify(LOG)};
    const log = createLog('a test');
    log.info('before');
    log.child({}).warn('the last');
    setImmediate(() => { for (;;); });`;
  const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe', timeout: 4_000 });
  let said = '';
  for await (const chunk of child.stdout) {
    said += Buffer.from(chunk).toString();
    if (said.includes('the last')) child.kill('SIGKILL');
  }
  expect(
    said
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line || '{}').msg),
  ).toEqual(['before', 'the last']);
});
