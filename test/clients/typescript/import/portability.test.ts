/** The reader runs wherever JavaScript does: neither it nor its packages use an interface of Bun or Node, or know the command. */
import { expect, test } from 'bun:test';
import { join } from 'node:path';

const FOLDER = join(import.meta.dir, '../../../../clients/typescript/import');

const sources = await Promise.all(
  [...new Bun.Glob('**/*.ts').scanSync(FOLDER)].map(async (file) => ({
    file,
    text: await Bun.file(join(FOLDER, file)).text(),
  })),
);

test('the sources use no interface of a runtime', () => {
  expect(sources.length).toBeGreaterThan(15);
  for (const { file, text } of sources) {
    expect([file, text.match(/\b(Bun|Buffer|process|require|window|document|Worker|fetch)\b[.(]/g)]).toEqual([
      file,
      null,
    ]);
  }
});

test('no message names an option of the command', () => {
  for (const { file, text } of sources) expect([file, text.match(/--[a-z]+/g)]).toEqual([file, null]);
});

test('a bundle for browsers has everything in it', async () => {
  const { success, outputs } = await Bun.build({
    entrypoints: [join(FOLDER, 'index.ts')],
    target: 'browser',
  });
  expect(success).toBe(true);
  expect(await outputs[0]?.text()).not.toMatch(/^import .* from|require\(['"]node:/m);
});
