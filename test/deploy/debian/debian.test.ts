/**
 * The commands of docs/deploying.md and docs/backup.md in empty Debian machines, with systemd as their first process: `bun run test:debian`.
 * It needs root, debootstrap, systemd-nspawn and slirp4netns, and reaches the packages of Debian and of npm.
 */
import { afterAll, test as always, beforeAll, describe, expect, setDefaultTimeout } from 'bun:test';
import { join } from 'node:path';
import { ROOT, temporaryDirectory } from '../../fixtures/checkout.ts';
import { expectShown } from '../../fixtures/examples.ts';
import { until } from '../../fixtures/until.ts';
import { blocks, blocksUnder, commandsUnder } from '../runbook.ts';
import { boot, emptyDebian, type Machine, missing, publishCheckout, writeInto } from './machine.ts';

setDefaultTimeout(30 * 60_000);
const test = always.skipIf(missing.length > 0);
const needs = missing.length > 0 ? ` (needs ${missing.join(', ')})` : '';

const commands = (heading: string) => commandsUnder('deploying.md', heading);
const FIRST_ENTRY = 'The first entry';

describe.each(['bookworm', 'trixie'])(`Debian %s${needs}:`, (suite) => {
  const root = join(temporaryDirectory(), suite);
  const REPOSITORY = '/srv/ledger.git';
  let machine: Machine;
  let repository: Awaited<ReturnType<typeof publishCheckout>>;
  /** SOURCE and LEDGER_API_KEY, as the page sets them. */
  let variables: Record<string, string>;

  beforeAll(async () => {
    if (missing.length > 0) return;
    await emptyDebian(suite, root);
    repository = await publishCheckout(ROOT, join(root, REPOSITORY));
    machine = await boot(root);
  });
  afterAll(() => machine?.stop());

  /** Writes one entry through HAProxy, as often as it takes. */
  const WRITE = `write() {
    curl --silent --fail --retry 600 --retry-delay 1 --retry-all-errors http://127.0.0.1:8080/api/v1/sources/$SOURCE/transactions \\
      -H "Authorization: Bearer $LEDGER_API_KEY" -H 'Content-Type: application/json' \\
      -d '{"date": "2026-04-06", "type": "income", "amountPence": 1, "externalRef": "'"$1"'"}' >/dev/null
  }`;
  const write = (reference: string) => machine.run(`${WRITE}; write "${reference}"`, variables);
  const sql = async (statement: string) => {
    const psql =
      'cd / && runuser -u postgres -- psql --no-psqlrc --quiet --tuples-only --no-align --dbname=ledger';
    return (await machine.run(`${psql} --command="$STATEMENT"`, { STATEMENT: statement })).trim();
  };
  const references = async () =>
    (await sql('select external_ref from ledger.entry order by external_ref')).split('\n');

  test('the commands lead from an empty machine to the first entry, and no process has the rights of root', async () => {
    for (const script of commands('One machine: systemd')) await machine.run(script, { REPOSITORY });
    const [shown] = blocksUnder('deploying.md', FIRST_ENTRY).filter(({ language }) => language === 'json');
    const [script] = commands(FIRST_ENTRY);
    const out = await machine.run(`${script}\necho; echo $SOURCE $LEDGER_API_KEY`);
    const [response = '', values = ''] = out.trim().split('\n');
    expectShown(JSON.parse(`${shown?.text}`), JSON.parse(response));
    const [SOURCE = '', LEDGER_API_KEY = ''] = values.split(' ');
    variables = { SOURCE, LEDGER_API_KEY };
    expect(await references()).toEqual(['rent-7']);
    expect((await machine.run('ps -C bun -o user=')).trim().split(/\s+/)).toEqual(['ledger', 'ledger']);
    const files = '/etc/bookkeeping-ledger /etc/bookkeeping-ledger/*';
    expect((await machine.run(`stat -c '%U %a' ${files}`)).trim().split('\n')).toEqual([
      'root 700',
      'root 600',
      'root 600',
    ]);
  });

  test('the service is there after the machine has started again', async () => {
    await machine.stop();
    machine = await boot(root);
    await write('after the start');
  });

  test('the worker starts again for as long as there is no Postgres', async () => {
    await machine.run('systemctl stop postgresql && systemctl restart ledger-worker');
    const restarts = 'systemctl show ledger-worker --property=NRestarts --value';
    await until('the sixth start', async () => Number(await machine.run(restarts)) > 5);
    await machine.run('systemctl start postgresql');
    await write('after the outage');
  });

  test('a new version: the commands install it while clients write, and each entry is there once', async () => {
    const commit = await repository.commit('The next version');
    const load = machine.run(
      `${WRITE}; n=0; until [ -e /tmp/installed ]; do n=$((n + 1)); write during-$n; done; echo $n`,
      variables,
    );
    const [script] = commands('A new version on systemd');
    await machine.run(`${script}\ntouch /tmp/installed`);
    const written = Number(await load);
    expect((await machine.run('git -C /opt/bookkeeping-ledger rev-parse HEAD')).trim()).toBe(commit);
    expect(written).toBeGreaterThan(0);
    expect((await references()).filter((each) => each.startsWith('during-'))).toHaveLength(written);
    for (const check of commands("HAProxy without Docker's names")) await machine.run(check);
  });

  test('the commands of docs/backup.md restore a moment: the entries until then, and no later ones', async () => {
    const [version = ''] = (await machine.run('ls /etc/postgresql')).split('\n');
    const [backup = '', stop = '', start = ''] = blocks('On Debian', 'sh');
    const [archive = ''] = blocks('Base backup and write-ahead log', 'ini');
    writeInto(root, `etc/postgresql/${version}/main/conf.d/archive.conf`, archive);
    await machine.run(backup);
    await write('after the base backup');
    const MOMENT = await sql('select clock_timestamp()');
    const before = await references();
    await write('after the moment');
    const segment = await sql('select pg_walfile_name(pg_switch_wal())');
    const archived = `select count(*) from pg_stat_archiver where last_archived_wal >= '${segment}'`;
    await until('the log is archived', async () => (await sql(archived)) === '1');

    const [restore = ''] = blocks('Restore a moment', 'sh');
    await machine.run(
      `${stop}\nrunuser -u postgres -- sh -eu <<'END_OF_RESTORE'\n${restore}\nEND_OF_RESTORE\n${start}`,
      { MOMENT },
    );
    await until('the recovery ends', async () => (await sql('select pg_is_in_recovery()')) === 'f');
    expect(await references()).toEqual(before);
    await machine.run('redis-cli flushall && systemctl start ledger-worker ledger-gateway');
    await write('after the restore');
    expect(await references()).toEqual([...before, 'after the restore'].toSorted());
  });
});
