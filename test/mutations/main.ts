/**
 * `bun run mutations [NAME...]`: applies each mutation to a copy of the checkout and runs its tests, one of which must fail.
 * With arguments, only the mutations whose names contain one of them.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MUTATIONS, type Mutation, mutate } from './mutations.ts';

const CHECKOUT = join(import.meta.dir, '../..');
const TESTS_MS_MAX = 10 * 60_000;
const SHOWN_MAX = 3;

const parts = process.argv.slice(2);
const chosen = MUTATIONS.filter(
  ({ name }) => parts.length === 0 || parts.some((part) => name.includes(part)),
);

const copy = mkdtempSync(join(tmpdir(), 'ledger-mutations-'));
process.once('exit', () => rmSync(copy, { recursive: true, force: true }));
copyCheckout();

const passing = new Set<string>();
const survivors: string[] = [];
for (const mutation of chosen) {
  await requirePassing(mutation);
  const caughtBy = await tryOut(mutation);
  if (caughtBy.length === 0) survivors.push(mutation.name);
  console.log(`\n${mutation.breaks.join(', ')}  ${mutation.name}\n    ${summary(caughtBy)}`);
}
console.log(`\n${chosen.length - survivors.length} of ${chosen.length} mutations were caught.`);
process.exit(survivors.length === 0 ? 0 : 1);

function summary(caughtBy: string[]): string {
  if (caughtBy.length === 0) return 'SURVIVED: no test failed';
  const more = caughtBy.length - SHOWN_MAX;
  const lines = [...caughtBy.slice(0, SHOWN_MAX), ...(more > 0 ? [`and ${more} more`] : [])];
  return lines.join('\n    ');
}

/** Copies the files that git tracks or does not ignore. node_modules is a link. */
function copyCheckout(): void {
  const { stdout } = Bun.spawnSync(['git', 'ls-files', '-co', '--exclude-standard'], { cwd: CHECKOUT });
  for (const file of String(stdout).trim().split('\n')) {
    cpSync(join(CHECKOUT, file), join(copy, file), { recursive: true });
  }
  symlinkSync(join(CHECKOUT, 'node_modules'), join(copy, 'node_modules'));
}

/** Applies the mutation and returns the failed tests. */
async function tryOut(mutation: Mutation): Promise<string[]> {
  const inCopy = mutation.edits.map((edit) => ({ edit, path: join(copy, edit.file) }));
  const originals = new Map(inCopy.map(({ path }) => [path, readFileSync(path, 'utf8')]));
  try {
    for (const { edit, path } of inCopy) writeFileSync(path, mutate(readFileSync(path, 'utf8'), edit));
    return (await runTests(mutation)).failures;
  } finally {
    for (const [path, original] of originals) writeFileSync(path, original);
  }
}

/** Runs the tests without the mutation. @throws Error with the tests that fail anyway */
async function requirePassing(mutation: Mutation): Promise<void> {
  const { tests, only } = mutation;
  const key = JSON.stringify([tests, only]);
  if (passing.has(key)) return;
  const { failures, exitCode } = await runTests(mutation);
  if (exitCode !== 0) throw new Error(`The tests fail without any mutation: ${failures.join(', ')}`);
  passing.add(key);
}

async function runTests({ tests, only }: Pick<Mutation, 'tests' | 'only'>) {
  const filter = only === undefined ? [] : ['-t', only];
  const files = tests.map((test) => `./${test}`);
  const run = Bun.spawn(['bun', 'test', '--path-ignore-patterns', 'none', ...filter, ...files], {
    cwd: copy,
    stdout: 'ignore',
    stderr: 'pipe',
    timeout: TESTS_MS_MAX,
  });
  const output = await run.stderr.text();
  const failures = [...output.matchAll(/^\(fail\) (.+?)(?: \[[\d.]+ms\])?$/gm)].map(([, test]) => `${test}`);
  const exitCode = await run.exited;
  // A mutated copy that does not start is no proof.
  if (exitCode !== 0 && failures.length === 0) throw new Error(`no test ran:\n${output}`);
  return { exitCode, failures: [...new Set(failures)] };
}
