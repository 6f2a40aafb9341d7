/** Clocks that are set forward or back, and clocks of gateway, Redis and Postgres that are apart. */
import { expect, setDefaultTimeout } from 'bun:test';
import { verify } from '../../admin/checked-database.ts';
import { read } from '../../fixtures/checkout.ts';
import { scrape } from '../../fixtures/metrics.ts';
import { until } from '../../fixtures/until.ts';
import { type Clock, dayTest } from './clock.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, type OwnSystem, SECOND_MS, startOwnSystem } from './own-system.ts';
import { entries, entry, newOwner } from './owner.ts';

setDefaultTimeout(120_000);

const system = await startOwnSystem({ gateways: 2 });

/** Sets a clock for the time of `work` only. */
async function apart(clock: Clock | undefined, ms: number, work: () => Promise<unknown>) {
  clock?.add(ms);
  await work().finally(() => clock?.add(-ms));
}

const APART = [
  ['two minutes ahead', 2 * MINUTE_MS],
  ['two minutes behind', -2 * MINUTE_MS],
  ['two days ahead', 2 * DAY_MS],
  ['two days behind', -2 * DAY_MS],
] as const;

/** The first and the last entry of a full day are refused and admitted where the rule says, with the clocks as they are. */
async function expectWholeDay({ pass, ...own }: OwnSystem) {
  const owner = await newOwner({ pass, ...own });
  const first = await owner.post(entry({ externalRef: 'first' }), { idempotencyKey: 'first' });
  expect(first.status).toBe(201);
  await owner.fill(4_999);
  const full = async () => {
    for (const [n, fields] of [{}, { externalRef: 'new' }].entries()) {
      const { status, body } = await owner.post(entry(fields), { gateway: n });
      expect([status, body.error?.code, body.error?.remaining]).toEqual([429, 'daily_cap', 0]);
    }
  };
  await full();
  pass(DAY_MS - MINUTE_MS);
  await full();
  const again = await owner.post(entry({ externalRef: 'first' }), { idempotencyKey: 'first', gateway: 1 });
  expect([again.status, again.body]).toEqual([first.status, first.body]);
  pass(2 * MINUTE_MS);
  expect((await owner.post(entries(500), { gateway: 1 })).status).toBe(201);
  expect((await owner.post(entry({ externalRef: 'first' }))).body.deduplicated).toBe(1);
  await owner.fill(4_500);
  await full();
  expect(await owner.transactionCount()).toBe(10_000);
}

for (const name of ['postgres', 'redis', 'worker', 'gateway'] as const) {
  dayTest.each(APART)(`a day is as long while the clock of ${name} is %s`, async (_, ms) => {
    const clock = name === 'gateway' ? system.clocks.gateways[0] : system.clocks[name];
    await apart(clock, ms, () => expectWholeDay(system));
  });
}

dayTest.each(APART)('a gateway that is %s of the database reports it, once, and its end', async (_, ms) => {
  const [gateway] = system.gateways;
  const ahead = async () => {
    expect((await fetch(`${gateway?.url}/readyz`)).status).toBe(200);
    return (await scrape(`${gateway?.metricsAddress}`)).value('ledger_clock_ahead_seconds');
  };
  const lines = () => system.log().filter(({ msg }) => /the clock/.test(msg));
  await until('the clocks agree', async () => (await ahead()) === 0);
  // Tests before this one have set them too.
  await until('the log has that', () => lines().at(-1)?.level !== 40);
  const before = lines().length;
  await apart(system.clocks.gateways[0], ms, async () => {
    for (let n = 0; n < 3; n++)
      expect(Math.abs((await ahead()) - ms / SECOND_MS)).toBeLessThan(MINUTE_MS / SECOND_MS);
    await until('the log has it', () => lines().length > before);
  });
  await until('the clocks agree again', async () => (await ahead()) === 0);
  await until('the log has the end', () => lines().length > before + 1);
  expect(lines().slice(before)).toEqual([
    expect.objectContaining({ level: 40, msg: expect.stringMatching(/are apart: synchronise/) }),
    expect.objectContaining({ level: 30, msg: expect.stringMatching(/agree again/) }),
  ]);
});

dayTest('a gateway without probes also reports a database whose clock was set', async () => {
  const [, gateway] = system.gateways;
  await apart(system.clocks.postgres, HOUR_MS, () =>
    until('it is an hour behind', async () => {
      const ahead = (await scrape(`${gateway?.metricsAddress}`)).value('ledger_clock_ahead_seconds');
      return Math.round(ahead / 60) === -60;
    }),
  );
});

dayTest.each(APART)('a database clock that is set to %s does not raise the daily cap', async (_, ms) => {
  const owner = await newOwner(system);
  await owner.fill();
  const used = async () => {
    const { status, body } = await owner.post(entry({ externalRef: 'new' }));
    return [status, body.error?.remaining];
  };
  expect(await used()).toEqual([429, 0]);
  // By a clock that is two days ahead, the day is over.
  const isOver = ms > DAY_MS;
  await apart(system.clocks.postgres, ms, async () => {
    if (!isOver) expect(await used()).toEqual([429, 0]);
  });
  expect(await used()).toEqual([429, 0]);
  system.pass(DAY_MS + MINUTE_MS);
  expect(await used()).toEqual([201, undefined]);
});

dayTest(
  'after the clock of the database was years ahead, retention goes on, and the remedy for full days works',
  async () => {
    const { sql, clocks } = system;
    const ahead = await newOwner(system);
    const begunAt = async () => {
      const [row] = await sql<[{ ms: number }]>`
      select (extract(epoch from last_pass) * 1000)::float8 as ms from ledger.upkeep where task = 'retention'`;
      return row.ms;
    };
    await apart(clocks.postgres, 3_650 * DAY_MS, async () => {
      await until('retention has begun', async () => (await begunAt()) > clocks.postgres.now() - HOUR_MS);
      await ahead.fill();
    });
    await until('it begins again', async () => (await begunAt()) < clocks.postgres.now());

    // docs/operations.md
    const remedy = /```sql\s+(update ledger\.write_log[^`]+)```/.exec(read('docs/operations.md'))?.[1];
    await sql.unsafe(`${remedy}`);
    const post = async () => (await ahead.post(entry({ externalRef: 'new' }))).status;
    expect(await post()).toBe(429);
    system.pass(DAY_MS + MINUTE_MS);
    expect(await post()).toBe(201);
  },
);

dayTest.each(['postgres', 'worker'] as const)(
  'while the clock of %s is years ahead, no day is sealed that still gets entries',
  async (name) => {
    const owner = await newOwner(system);
    const { sql, clocks } = system;
    await owner.post(entry());
    await apart(clocks[name], 3_650 * DAY_MS, async () => {
      system.pass(3 * DAY_MS);
      const sealed = () => sql`select day from ledger.seal where account_id = ${owner.accountId}`;
      await until('the entry is sealed', async () => (await sealed()).length === 1);
      await owner.post(entry());
    });
    await owner.post(entry());
    const { out } = await verify(system.databaseUrl, '--account', owner.accountId);
    const { findings } = JSON.parse(out);
    expect(findings.filter(({ check }: { check: string }) => check === 'seal')).toEqual([]);
  },
);

dayTest.each(APART)('after the clock of Redis was set to %s, it refuses nothing that fits', async (_, ms) => {
  const owner = await newOwner(system);
  const fillAndWait = async () => {
    await owner.fill();
    expect((await owner.post(entry())).status).toBe(429);
    system.pass(DAY_MS + SECOND_MS);
  };
  await owner.fill();
  await apart(system.clocks.redis, ms, async () => {
    expect((await owner.post(entry())).status).toBe(429);
    system.pass(DAY_MS + SECOND_MS);
    await fillAndWait();
    await owner.fill();
  });
  expect((await owner.post(entry())).status).toBe(429);
  system.pass(DAY_MS + SECOND_MS);
  await fillAndWait();
  expect((await owner.post(entries(500))).status).toBe(201);
});

dayTest.each(APART)(
  'after the clock of Redis was set to %s, a minute still admits 120 requests',
  async (_, ms) => {
    const owner = await newOwner(system);
    const key = { headers: { authorization: `Bearer ${owner.key}` } };
    const send = async (count: number) => {
      const sent = Array.from({ length: count }, () => fetch(`${system.gateways[0]?.url}/api/v1/me`, key));
      return (await Promise.all(sent)).filter(({ status }) => status === 200).length;
    };
    const begun = performance.now();
    let admitted = await send(70);
    await apart(system.clocks.redis, ms, async () => (admitted += await send(70)));
    admitted += await send(70);
    // On a machine that is slower than that it says nothing.
    if (performance.now() - begun < MINUTE_MS) expect(admitted).toBe(120);
  },
);

for (const name of ['worker', 'gateway'] as const) {
  dayTest.each(APART.slice(2))(
    `a request lasts as long as ever while the clock of its ${name} is set to %s`,
    async (_, ms) => {
      const { sql, gateways, clocks } = system;
      const [late, blocked] = [await newOwner(system), await newOwner(system)];
      const lock = ({ accountId }: typeof late) =>
        `select from ledger.account where account_id = '${accountId}' for update;`;
      await sql.unsafe(`begin; ${lock(blocked)} savepoint one; ${lock(late)}`);
      const failedAttempts = async () => {
        const metrics = await scrape(`${gateways[0]?.metricsAddress}`);
        const count = 'grpc_client_handling_seconds_count';
        return metrics.sum(count) - metrics.sum(count, { grpc_code: 'OK' });
      };
      const before = await failedAttempts();
      const replies = Promise.all([late.post(entry()), blocked.post(entry())]);
      await until('both wait', async () => {
        // Otherwise a transaction always sees the activity of its first look.
        await sql`select pg_stat_clear_snapshot()`;
        const [row] = await sql<[{ count: number }]>`
          select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock'`;
        return row.count >= 2;
      });
      await apart(name === 'gateway' ? clocks.gateways[0] : clocks.worker, ms, async () => {
        // The next attempt of one finds the lock released.
        await until('an attempt of both has failed', async () => (await failedAttempts()) >= before + 2);
        await sql.unsafe('rollback to one');
        expect((await replies).map(({ status }) => status)).toEqual([201, 503]);
      });
      await sql.unsafe('commit');
      expect([await late.transactionCount(), await blocked.transactionCount()]).toEqual([1, 0]);
    },
  );
}
