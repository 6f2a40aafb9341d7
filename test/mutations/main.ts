/**
 * `bun run mutations [--jobs N] [NAME...]`: applies each mutation to a copy of the checkout and runs its tests, one of which must fail.
 * With names, only the mutations whose names contain one of them. Each job has its own copy.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { copyCheckout } from '../fixtures/checkout.ts';
import { MUTATIONS, type Mutation, mutate } from './mutations.ts';

const TESTS_MS_MAX = 10 * 60_000;

const SQL = 'ledger-worker/sql/';
/**
 * The files that go with a change of the database. With the former ones each test that compares the schema fails, with any change
 * breaks.
 */
const MADE_OF_SQL = [`${SQL}schema.txt`, `${SQL}functions/version.txt`];

const { values, positionals: parts } = parseArgs({
  options: { jobs: { type: 'string', default: String(Math.ceil(availableParallelism() / 2)) } },
  allowPositionals: true,
});
const chosen = MUTATIONS.filter(
  ({ name }) => parts.length === 0 || parts.some((part) => name.includes(part)),
);
/** The mutations with the same tests, which run once without any mutation. The largest group comes first: a job takes a group. */
const groups = Object.values(
  Object.groupBy(chosen, ({ tests, only }) => JSON.stringify([tests, only])) as Record<string, Mutation[]>,
).sort((one, other) => other.length - one.length);

let caught = 0;
await Promise.all(Array.from({ length: Number(values.jobs) }, work));
console.log(`\n${caught} of ${chosen.length} mutations were caught.`);
process.exit(caught === chosen.length ? 0 : 1);

async function work(): Promise<void> {
  const copy = mkdtempSync(join(tmpdir(), 'ledger-mutations-'));
  process.once('exit', () => {
    for (const path of [copy, `${copy}.log`]) rmSync(path, { recursive: true, force: true });
  });
  copyCheckout(copy);
  for (let group = groups.shift(); group; group = groups.shift()) {
    const [first] = group as [Mutation];
    const { exitCode, output } = await runTests(copy, first);
    if (exitCode !== 0) console.log(`\nWithout any mutation ${first.tests} FAILS:\n${output}`);
    for (const mutation of exitCode === 0 ? group : []) {
      const caughtBy = await tryOut(copy, mutation);
      if (caughtBy !== undefined) caught++;
      const result = caughtBy ?? 'SURVIVED: no test failed';
      console.log(`\n${mutation.breaks.join(', ')}  ${mutation.name}\n    ${result}`);
    }
  }
}

/** Applies the mutation and returns the failed test, undefined if none failed. */
async function tryOut(copy: string, mutation: Mutation): Promise<string | undefined> {
  const inCopy = mutation.edits.map((edit) => ({ edit, path: join(copy, edit.file) }));
  const isOfSql = mutation.edits.some(({ file }) => file.startsWith(SQL));
  const changed = [...inCopy.map(({ path }) => path), ...MADE_OF_SQL.map((file) => join(copy, file))];
  const originals = new Map(changed.map((path) => [path, readFileSync(path, 'utf8')]));
  try {
    for (const { edit, path } of inCopy) writeFileSync(path, mutate(readFileSync(path, 'utf8'), edit));
    if (isOfSql) await updateSchema(copy);
    const { output } = await runTests(copy, mutation);
    return /^\(fail\) (.+?)(?: \[[\d.]+ms\])?$/m.exec(output)?.[1];
  } finally {
    for (const [path, original] of originals) writeFileSync(path, original);
  }
}

async function updateSchema(copy: string): Promise<void> {
  const update = Bun.spawn(['bun', 'test/ledger-worker/database/update-schema.ts'], {
    cwd: copy,
    stdout: 'ignore',
    stderr: 'inherit',
  });
  if ((await update.exited) !== 0) throw new Error('The schema of a mutation cannot be written.');
}

/** Runs the tests up to the first that fails. */
async function runTests(copy: string, { tests, only }: Mutation) {
  const filter = only === undefined ? [] : ['-t', only];
  const files = tests.map((test) => `./${test}`);
  // Not a pipe: a process that the tests have started, and whose library waits for a day, would keep it open.
  const log = `${copy}.log`;
  writeFileSync(log, '');
  const run = Bun.spawn(
    ['bun', 'test', '--bail', '--timeout', '60000', '--path-ignore-patterns', 'none', ...filter, ...files],
    {
      cwd: copy,
      env: { ...process.env, PROPERTY_RUNS: 'all' },
      stdout: 'ignore',
      stderr: Bun.file(log),
      timeout: TESTS_MS_MAX,
    },
  );
  return { exitCode: await run.exited, output: readFileSync(log, 'utf8') };
}
