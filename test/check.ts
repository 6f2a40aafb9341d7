/**
 * `bun test/check.ts quick code slow`: the quick tests, the checks of the code and the slow tests, or some of these, the first ones first.
 * Jobs run side by side, each group of tests with a system of its own. Failures are printed last, with the command that repeats each.
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { $ } from 'bun';
import bunfig from '../bunfig.toml';

const ROOT = join(import.meta.dir, '..');
const BUN = process.execPath;
const TEST = [BUN, 'test', '--timeout', '60000', '--path-ignore-patterns', 'none'];
/** Slow tests wait more than they compute, and the checks of the code run beside the quick tests. */
const JOBS_AT_ONCE = availableParallelism() + 1;
const TAIL_LINES = 100;

/** Each by a command of its own, since it needs an engine or a server with Citus. */
const ELSEWHERE = /^test\/(citus|deploy\/(containers|cluster))\//;
/** Each test file belongs to the first group whose folders it is in. */
const GROUPS: Record<'quick' | 'slow', Record<string, RegExp>> = {
  quick: { clients: /^test\/clients\//, service: /./ },
  slow: { clients: /^test\/clients\//, faults: /^test\/(faults|hostile|scale)\//, service: /./ },
};

export interface Job {
  name: string;
  command: string[];
}

const CODE: Job[] = [
  { name: 'types', command: [BUN, 'x', 'tsc', '--noEmit'] },
  { name: 'types of the page', command: [BUN, 'x', 'tsc', '--noEmit', '-p', 'clients/web'] },
  { name: 'formatting and lint', command: [BUN, 'x', 'biome', 'check', '.'] },
  { name: 'generated code', command: [BUN, 'proto/generate.ts', '--check'] },
  { name: 'audit of the packages', command: [BUN, 'run', 'audit', '--where-possible'] },
];

/** The test files of the groups of `speed`, by group. */
export function groupsOf(speed: 'quick' | 'slow'): Map<string, string[]> {
  const slow = bunfig.test.pathIgnorePatterns.map((pattern: string) => new Bun.Glob(pattern));
  const files = [...new Bun.Glob('test/**/*.test.ts').scanSync(ROOT)].sort().filter((file) => {
    const isSlow = slow.some((glob: Bun.Glob) => glob.match(file));
    return isSlow === (speed === 'slow') && !ELSEWHERE.test(file);
  });
  const groups = Object.entries(GROUPS[speed]);
  return Map.groupBy(files, (file) => `${groups.find(([, folders]) => folders.test(file))?.[0]}`);
}

function jobsOf(part: string): Job[] {
  if (part === 'code') return CODE;
  if (part !== 'quick' && part !== 'slow') throw new Error(`${part} is none of quick, code and slow`);
  return [...groupsOf(part)].map(([group, files]) => ({
    name: `${part} tests: ${group}`,
    command: [...TEST, ...files.map((file) => `./${file}`)],
  }));
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
async function run({ name, command }: Job): Promise<Result> {
  const start = performance.now();
  const child = Bun.spawn(['sh', '-c', 'exec "$@" 2>&1', 'sh', ...command], { cwd: ROOT, stdin: 'ignore' });
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
  const details = failed.map(([file, text]) => `${file}:${text.replaceAll(/^\((?:pass|skip)\) .*\n/gm, '')}`);
  const commands = failed.flatMap(([file, text]) =>
    namesOf('fail', text).map((test) => repeating(file, test)),
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

if (import.meta.main) process.exitCode = await runAll(process.argv.slice(2).flatMap(jobsOf));
