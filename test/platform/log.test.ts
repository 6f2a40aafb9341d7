/** When the log writes its lines. */
import { expect, test } from 'bun:test';
import { join } from 'node:path';

const LOG = join(import.meta.dir, '../../platform/log.ts');

test('a warning and the lines before it are written even when the event loop then blocks', async () => {
  const script = `
    import { createLog } from ${JSON.stringify(LOG)};
    const log = createLog('a test');
    log.info('before');
    log.child({}).warn('the last');
    setImmediate(() => { for (;;); });`;
  const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe', timeout: 50_000 });
  let output = '';
  for await (const chunk of child.stdout) {
    output += Buffer.from(chunk).toString();
    if (output.includes('the last')) child.kill('SIGKILL');
  }
  expect(
    output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line || '{}').msg),
  ).toEqual(['before', 'the last']);
});
