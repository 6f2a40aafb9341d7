/**
 * `bun run bench`: compares the service with the limit of its database and with a conventional implementation.
 *
 * Starts its own system with durable commits. Measures each workload in alternation, A B B A …, on
 * - the service: gateway, worker, Postgres, Redis, over HTTP;
 * - the bare stack: as little of the service's stack as can be (see bare-stack/), on the same books;
 * - Fastify + pg: one process with the logic in the application (see reference/), with its own database.
 * Ratios are medians over the rounds, with minimum and maximum. Load generator and servers share the cores, so the output
 * also has the CPU time of each component, which is comparable even on a noisy machine. Memory, and the CPU time without
 * requests are those of the service; an idle bare stack is beside the last. `--against` compares two trees instead: see against.ts.
 */
import { writeFileSync } from 'node:fs';
import { rotation } from './accounts.ts';
import { against } from './against.ts';
import { type Flags, readFlags } from './flags.ts';
import { type Verdict, verdictsOn, verdictsOnIdle, verdictsOnMemory, verdictsOnUnread } from './goals.ts';
import { type IdleCpu, idleCpu } from './idle.ts';
import { interleave } from './interleave.ts';
import { keyCacheFiller } from './key-cache.ts';
import { machine } from './machine.ts';
import { type Memory, memoryByMinute, memoryUnder } from './memory.ts';
import { openBench } from './open.ts';
import { firstReads, firstWrites, prepareReads, reads, writes } from './plan.ts';
import { heading, resultLine, verdictLines } from './report.ts';
import { failuresOf, type Result } from './result.ts';
import { type Unread, unreadResponses } from './unread.ts';
import { warmUpAll } from './warm-up.ts';
import { type Bench, httpSide } from './work.ts';
import type { Workload } from './workload.ts';
import { grow, growth } from './workloads/growth.ts';
import { creating, emptied } from './workloads/post.ts';

const ROUNDS = 3;
const HEAVIEST = { entries: 500, clients: 128, seconds: 8 };

async function main(flags: Flags): Promise<void> {
  if (flags.against !== undefined) return against(flags.against, flags);
  const bench = await openBench(flags.accounts);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => bench.close().then(() => process.exit(1)));
  }
  try {
    if (flags.minutes !== undefined) {
      await prepareReads(bench);
      return await memoryByMinute(bench, flags.minutes);
    }
    const figures = await measureAll(bench, flags);
    const verdicts = [
      ...verdictsOn(figures.results),
      ...verdictsOnMemory(figures.memory),
      ...verdictsOnIdle(figures.idleMsPerSecond),
      ...verdictsOnUnread(figures.unread),
    ];
    printSummary(figures, verdicts);
    writeFileSync(flags.json, `${JSON.stringify({ ...figures, verdicts }, null, 2)}\n`);
    console.log(`\nAll figures: ${flags.json}`);
  } finally {
    await bench.close();
  }
}

type Figures = Awaited<ReturnType<typeof measureAll>>;

async function measureAll(bench: Bench, flags: Flags) {
  const { stack, service } = bench;
  const chosen = (workloads: Workload[]) => workloads.filter(({ group }) => flags.only.includes(group));
  const results: Result[] = [];
  const fillKeyCache = keyCacheFiller(bench);
  const measure = async (workloads: Workload[], first: Workload[]) => {
    if (chosen(workloads).length === 0) return;
    await fillKeyCache();
    for (const workload of first) await warmUpAll(workload);
    for (const workload of chosen(workloads)) {
      await fillKeyCache();
      results.push(await measured(workload, bench, flags));
    }
  };

  const on = await machine(stack.sql);
  console.log(
    `${on.cores} cores, Postgres ${on.postgres}, Bun ${on.bun}. µs: of CPU, per entry; of reads, per request.\n`,
  );
  const idleMsPerSecond: IdleCpu = flags.only.includes('idle') ? await idleCpu() : {};
  const unread: Unread[] = flags.only.includes('unread') ? await unreadResponses() : [];
  console.log(heading());

  await measure(writes(bench, flags), firstWrites(bench));
  const memory: Record<string, Memory> = flags.only.includes('memory') ? await memoryOfHeaviest(bench) : {};

  if (chosen(reads(bench)).length > 0 || flags.only.includes('growth')) await prepareReads(bench);
  await measure(reads(bench), firstReads(bench));

  if (flags.only.includes('growth')) {
    await grow(bench, flags.growth);
    const [stored] = await service.sql<{ count: number }[]>`select count(*)::float8 from ledger.entry`;
    const { workloads, control } = await growth(bench, `${((stored?.count ?? 0) / 1e6).toFixed(1)} million`);
    await measure(workloads, []);
    await control.stop();
  }
  return { machine: on, idleMsPerSecond, results, memory, unread };
}

async function measured(workload: Workload, { stack }: Bench, flags: Flags): Promise<Result> {
  await workload.prepare();
  const { group, name, clients } = workload;
  const result = {
    group,
    name,
    clients,
    measured: await interleave(
      workload.sides(),
      { clients, seconds: flags.seconds, rounds: flags.rounds ?? ROUNDS },
      stack.cpuSeconds,
    ),
  };
  console.log(resultLine(result));
  for (const failure of failuresOf(result)) {
    console.log(`    FAILED: ${failure}`);
    process.exitCode = 1;
  }
  return result;
}

async function memoryOfHeaviest(bench: Bench) {
  const { stack, service, accounts } = bench;
  await emptied(bench);
  const side = httpSide(
    service,
    creating(HEAVIEST.entries, () => rotation(accounts)),
  );
  return memoryUnder(side, HEAVIEST, stack.pids);
}

function printSummary({ memory }: Figures, verdicts: readonly Verdict[]): void {
  console.log(`\n${verdictLines(verdicts)}\n`);
  for (const [name, { start, peak, end }] of Object.entries(memory)) {
    const figures = [start, peak, end].map((value) => value.toFixed(0));
    console.log(
      `memory of ${name}: ${figures[0]} MB before, at most ${figures[1]}, ${figures[2]} at the end`,
    );
  }
}

await main(readFlags());
