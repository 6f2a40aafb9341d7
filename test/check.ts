/**
 * `bun test/check.ts quick code slow citus`: the quick tests, the checks of the code, the slow tests and those on Citus, or some of these.
 * Jobs run side by side, each group of tests with a system of its own. Failures are printed last, with the command that repeats each.
 */
import { availableParallelism } from 'node:os';
import { $ } from 'bun';
import bunfig from '../bunfig.toml';
import { ROOT } from './fixtures/checkout.ts';
import { hasCitus } from './fixtures/citus-program.ts';

const BUN = process.execPath;
const TEST = [BUN, 'test', '--timeout', '60000', '--max-concurrency', '10', '--path-ignore-patterns', 'none'];
const JOBS_AT_ONCE = Math.max(2, availableParallelism());
const TAIL_LINES = 100;

/** Each by a command of its own, since it needs an engine. */
const ELSEWHERE = /^test\/deploy\/(containers|cluster|debian)\//;
/** The tests of statements. The others compare what the gateway, Redis or the transport does, which no database changes. */
const REPEATED_ON_CITUS = new RegExp(
  `^test/(${[
    'admin/(account-deletion|action-log|admin|review-queue|verify-beside-requests)',
    'clients/conformance/',
    'gateway/(conflicts|create|pages|properties|races|reads|access/(auth|day|read-only-keys)|input/idempotency-key)',
    'ledger-worker/ledger/',
    'security/object-level',
  ].join('|')})`,
);
/** In a process of their own: they replace its timers. */
const SCHEDULES = /^test\/schedules\//;
type Part = 'quick' | 'slow' | 'citus';
/** Each test file belongs to the first group whose folders it is in. They begin in this order: the longest ones must not be the last. */
const GROUPS: Record<Part, Record<string, RegExp>> = {
  quick: {
    clients: /^test\/clients\/(?!any-file|typescript)/,
    gateway: /^test\/gateway\//,
    files: /^test\/clients\//,
    schedules: SCHEDULES,
    service: /./,
  },
  slow: {
    page: /^test\/clients\/web\//,
    faults: /^test\/(faults|hostile|scale)\//,
    gateway: /^test\/(gateway|security)\//,
    clients: /^test\/clients\//,
    schedules: SCHEDULES,
    service: /./,
  },
  citus: { distribution: /^test\/citus\/(backup|distribute|operator)/, citus: /./ },
};

interface Job {
  name: string;
  command: string[];
  env?: Record<string, string>;
}

const CODE: Job[] = [
  { name: 'types', command: [BUN, 'x', 'tsc', '--noEmit'] },
  { name: 'types of the page', command: [BUN, 'x', 'tsc', '--noEmit', '-p', 'clients/web'] },
  { name: 'formatting and lint', command: [BUN, 'x', 'biome', 'check', '.'] },
  { name: 'generated code', command: [BUN, 'proto/generate.ts', '--check'] },
  { name: 'audit of the packages', command: [BUN, 'run', 'audit', '--where-possible'] },
];

/** The test files of each group. */
export function groupsOf(part: Part): Map<string, string[]> {
  const slow = bunfig.test.pathIgnorePatterns.map((pattern: string) => new Bun.Glob(pattern));
  const partOf = (file: string): Part => {
    if (/^test\/citus\//.test(file)) return 'citus';
    return slow.some((glob: Bun.Glob) => glob.match(file)) ? 'slow' : 'quick';
  };
  const all = [...new Bun.Glob('test/**/*.test.ts').scanSync(ROOT)].sort();
  const files = all.filter((file) => !ELSEWHERE.test(file) && partOf(file) === part);
  const groups = Object.entries(GROUPS[part]);
  const byGroup = Map.groupBy(files, (file) => groups.find(([, folders]) => folders.test(file))?.[0]);
  return new Map(groups.map(([group]) => [group, byGroup.get(group) ?? []]));
}

/** The quick tests that run again on a distributed database, if there is Citus. */
export const repeatedOnCitus = () =>
  [...groupsOf('quick').values()].flat().filter((file) => REPEATED_ON_CITUS.test(file));

function jobsOf(part: string): Job[] {
  if (part === 'code') return CODE;
  if (part !== 'quick' && part !== 'slow' && part !== 'citus')
    throw new Error(`${part} is none of quick, code, slow and citus`);
  const testJob = (group: string, files: readonly string[]) => ({
    name: `${part} tests: ${group}`,
    command: [...TEST, ...files.map((file) => `./${file}`)],
  });
  const jobs: Job[] = [...groupsOf(part)].map(([group, files]) => testJob(group, files));
  if (part !== 'citus') return jobs;
  const repeated = testJob('the quick ones again, on a distributed database', repeatedOnCitus());
  // Second: a database is distributed after the faults of nodes, which a busy disk would make more.
  if (hasCitus()) return jobs.toSpliced(1, 0, { ...repeated, env: { TEST_DATABASE: 'citus' } });
  console.log(`${repeated.name}: skipped, there is no Citus`);
  return jobs;
}

/** The output of a run of tests, by the file that it belongs to. */
function outputByFile(output: string): Map<string, string> {
  const [tests = ''] = output.split(/^\d+ tests (?:skipped|failed):$/m);
  const [, ...parts] = tests.split(/^(\S+\.test\.ts):$/m);
  return new Map(parts.flatMap((file, n) => (n % 2 === 0 ? [[file, `${parts[n + 1]}`] as const] : [])));
}

const namesOf = (result: 'fail' | 'skip', output: string) =>
  [...output.matchAll(new RegExp(`^\\(${result}\\) (.+?)(?: \\[[\\d.]+ms\\])?$`, 'gm'))].map(
    ([, name]) => `${name}`,
  );

function repeating(file: string, name: string): string {
  // Bun joins the names of groups and test by a space when it compares, and by " > " when it prints.
  const pattern = name.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll(' > ', ' (> )?');
  const only = name.endsWith('(unnamed)') ? '' : ` -t ${$.escape(pattern)}`;
  return `bun test --timeout 60000 --path-ignore-patterns none ./${file}${only}`;
}

interface Result {
  /** Undefined: passed. */
  failure?: string;
  skipped: string[];
}

/** Runs a job, and prints one line at its end. */
async function run({ name, command, env = {} }: Job): Promise<Result> {
  const start = performance.now();
  const child = Bun.spawn(['sh', '-c', 'exec "$@" 2>&1', 'sh', ...command], {
    cwd: ROOT,
    stdin: 'ignore',
    env: { ...process.env, ...env },
  });
  const [output, exitCode] = await Promise.all([child.stdout.text(), child.exited]);
  const seconds = Math.round((performance.now() - start) / 1000);
  const counts = [...output.matchAll(/^ +(\d+ (?:pass|skip|fail))$/gm)].map(([, count]) => count);
  console.log([`${name}: ${exitCode === 0 ? 'passed' : 'FAILED'} after ${seconds} s`, ...counts].join(', '));
  const files = [...outputByFile(output)];
  const skipped = files.flatMap(([file, text]) => namesOf('skip', text).map((test) => `${file}: ${test}`));
  if (exitCode === 0) return { skipped };
  const failed = files.filter(([, text]) => /^\(fail\)|^# Unhandled error/m.test(text));
  if (failed.length === 0) {
    const repeated = command.map((word) => $.escape(word)).join(' ');
    return { skipped, failure: `${output.split('\n').slice(-TAIL_LINES).join('\n')}\n    ${repeated}` };
  }
  const variables = Object.entries(env)
    .map(([variable, value]) => `${variable}=${value} `)
    .join('');
  const details = failed.map(([file, text]) => `${file}:${text.replaceAll(/^\((?:pass|skip)\) .*\n/gm, '')}`);
  const commands = failed.flatMap(([file, text]) =>
    namesOf('fail', text).map((test) => variables + repeating(file, test)),
  );
  return { skipped, failure: [...details, ...commands.map((line) => `    ${line}`)].join('\n') };
}

/** Runs all jobs. @returns the exit code */
export async function runAll(jobs: readonly Job[]): Promise<number> {
  const waiting = [...jobs];
  const results: Result[] = [];
  const lane = async () => {
    for (let job = waiting.shift(); job; job = waiting.shift()) results.push(await run(job));
  };
  await Promise.all(Array.from({ length: JOBS_AT_ONCE }, lane));
  const skipped = results.flatMap((result) => result.skipped);
  const failures = results.flatMap(({ failure }) => failure ?? []);
  if (skipped.length > 0) console.log(`\n${skipped.length} tests were skipped:\n${skipped.join('\n')}`);
  if (failures.length > 0)
    console.log(`\nFailures, each with the command that repeats it:\n\n${failures.join('\n\n')}`);
  return failures.length === 0 ? 0 : 1;
}

if (import.meta.main) {
  const parts = process.argv.slice(2);
  // The quick tests of a whole run search as long as they can.
  if (parts.includes('slow')) process.env.PROPERTY_RUNS = 'all';
  process.exitCode = await runAll(parts.flatMap(jobsOf));
}
