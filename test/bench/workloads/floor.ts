/** Batches compared with a lower bound: COPY of the same number of rows into a copy of the table with its indexes. */
import { type Account, rotation } from '../accounts.ts';
import { type NewEntry, newEntries } from '../entries.ts';
import { copyIn, postgresConnection } from '../postgres-load.ts';
import { closedLoopSide, type Side } from '../side.ts';
import { type Bench, sidesOf } from '../work.ts';
import type { Workload } from '../workload.ts';
import { creating, emptied } from './post.ts';

export const COPY = 'COPY';
export const COPY_TABLE = 'bench.entry';

export function floor(bench: Bench, entries: number, clients: number): Workload {
  const { service, accounts } = bench;
  return {
    group: 'floor',
    name: `POST ${entries} against COPY`,
    clients,
    async prepare() {
      await emptied(bench);
      await service.sql.unsafe(`
        create schema if not exists bench;
        drop table if exists ${COPY_TABLE};
        create table ${COPY_TABLE} (like ledger.entry including all)`);
    },
    sides: () => {
      const [own, , bare] = sidesOf(
        bench,
        creating(entries, () => rotation(accounts)),
      ) as [Side, Side, Side];
      return [own, bare, copySide(bench, entries)];
    },
  };
}

function copySide({ service, accounts }: Bench, entries: number): Side {
  const next = rotation(accounts);
  return closedLoopSide({
    name: COPY,
    connect: () => postgresConnection(service.databaseUrl, {}),
    render: (count) =>
      Array.from({ length: count }, () => {
        const account = next();
        const rows = newEntries(entries).map((entry) => copyRow(account, entry));
        return copyIn(`${COPY_TABLE} (${COLUMNS})`, rows.join(''), entries);
      }),
  });
}

const COLUMNS =
  'account_id, entry_id, source_id, entry_date, amount_pence, type, category, description, external_ref';

function copyRow({ accountId, sourceId }: Account, entry: NewEntry): string {
  const { date, amountPence, type, category = '\\N', description = '\\N', externalRef } = entry;
  const id = Bun.randomUUIDv7();
  return `${[accountId, id, sourceId, date, amountPence, type, category, description, externalRef].join('\t')}\n`;
}
