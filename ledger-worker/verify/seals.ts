/** Compares the seals of an account with its entries. The form of a seal is written a second time here: docs/seals.md. */
import { createHash } from 'node:crypto';
import { NIL_UUID } from '../../proto/domain.ts';
import type { Sql } from '../database/connection.ts';
import type { Finding } from './finding.ts';

const ENTRIES_PER_PAGE = 5_000;
const DAY_MS = 86_400_000;

interface Seal {
  day: string;
  entries: number;
  total: number;
  income: string;
  expense: string;
  digest: string;
}

interface Entry {
  id: string;
  source: string;
  date: string;
  type: string;
  amount: number;
  description: string | null;
  reference: string | null;
}

const REMEDY =
  'Compare the entries whose ids are of that day, or of days since the seal before, with a backup. A gateway whose clock was more than a day behind adds entries to sealed days, too: docs/seals.md.';

/** @returns a finding for each seal that the stored entries do not have, and for each anchor without its seal */
export async function verifySeals(
  sql: Sql,
  accountId: string,
  anchors: ReadonlyMap<string, string> = new Map(),
): Promise<Finding[]> {
  const seals = await sql<Seal[]>`
    select day, entries, total, income::text, expense::text, encode(digest, 'hex') as digest
      from ledger.seal where account_id = ${accountId} order by day`;
  if (seals.length + anchors.size === 0) return [];
  const found = seals.length > 0 ? await recompute(sql, accountId, seals) : [];
  const of = { check: 'seal', accountId, remedy: REMEDY } as const;
  const findings: Finding[] = seals.flatMap((seal, n) => {
    const difference = differenceOf(accountId, seal, found[n] as Found, seals[n - 1]);
    return difference ? { ...of, ...difference } : [];
  });
  const digests = new Map(seals.map(({ day, digest }) => [day, digest]));
  for (const [day, digest] of anchors) {
    const stored = digests.get(day);
    if (stored === digest) continue;
    const what = stored === undefined ? 'is not stored' : 'differs from its anchor';
    findings.push({ ...of, fact: `the seal of ${day} ${what}`, expected: 1, found: 0 });
  }
  // An erasure may have begun meanwhile.
  const isStored =
    await sql`select from ledger.account where account_id = ${accountId} and erasing_at is null`;
  return isStored.length > 0 ? findings : [];
}

class Found {
  entries = 0;
  sums = { income: 0n, expense: 0n };
  lastId = '';
  readonly lines = createHash('sha256');
}

/** The entries in the order of the primary key, each with the first seal whose day is not before the day of its id. */
async function recompute(sql: Sql, accountId: string, seals: readonly Seal[]): Promise<Found[]> {
  const found = seals.map(() => new Found());
  const days = seals.map(({ day }) => Date.parse(day) + DAY_MS);
  let after: Pick<Entry, 'source' | 'date' | 'id'> = { source: NIL_UUID, date: '0001-01-01', id: NIL_UUID };
  for (let hasMore = true; hasMore; ) {
    const page: Entry[] = await sql<Entry[]>`
      select entry_id as id, source_id as source, entry_date as date, type::text, amount_pence as amount, description, external_ref as reference
        from ledger.entry
       where account_id = ${accountId}
         and (source_id, entry_date, entry_id) > (${after.source}, ${after.date}, ${after.id})
       order by source_id, entry_date, entry_id limit ${ENTRIES_PER_PAGE}`;
    for (const entry of page) {
      const ms = Number.parseInt(entry.id.slice(0, 8) + entry.id.slice(9, 13), 16);
      const seal = found[firstAbove(days, ms)];
      if (seal) add(seal, entry);
    }
    after = page.at(-1) ?? after;
    hasMore = page.length === ENTRIES_PER_PAGE;
  }
  return found;
}

function add(seal: Found, { id, source, date, type, amount, description, reference }: Entry) {
  seal.entries++;
  seal.sums[type as keyof typeof seal.sums] += BigInt(amount);
  seal.lastId = id;
  const lengths = [description, reference].map((text) => (text === null ? -1 : [...text].length));
  const texts = [description, reference].filter((text) => text !== null);
  seal.lines.update(`${[id, source, date, type, amount, ...lengths, ...texts].join('|')}\n`);
}

/** How the stored entries differ from their seal; undefined: they are equal. */
function differenceOf(account: string, seal: Seal, found: Found, before?: Seal) {
  const { entries, sums, lines, lastId } = found;
  const { day } = seal;
  const facts = [day, entries, sums.income, sums.expense];
  const digest = lines.update([account, ...facts, before?.digest ?? '-'].join('|')).digest('hex');
  const total = (before?.total ?? 0) + entries;
  const stored = [day, seal.entries, seal.income, seal.expense];
  if (digest === seal.digest && total === seal.total && stored.join() === facts.join()) return undefined;
  const texts = [stored, facts].map(
    ([, count, income, expense]) => `${count} entries, income of ${income} and expense of ${expense} pence`,
  );
  const only = entries === 1 ? `: entry ${lastId}` : '';
  const fact = `the seal of ${day} has ${texts[0]}, and stored are ${texts[1]}${only}`;
  return { fact, expected: seal.entries, found: entries };
}

/** The index of the first of the ascending numbers that is above another one. */
function firstAbove(numbers: readonly number[], other: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as number) > other) high = middle;
    else low = middle + 1;
  }
  return low;
}
