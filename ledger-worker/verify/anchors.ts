/** Anchors: the seals as lines of a file that is kept outside of the database. */
import { NIL_UUID } from '../../proto/domain.ts';
import type { Sql } from '../database/connection.ts';

const SEALS_PER_PAGE = 1_000;

/** Of a seal in the order of sealing. */
interface Position {
  pass: string;
  account: string;
  day: string;
}

interface Anchor extends Position {
  entries: number;
  income: string;
  expense: string;
  digest: string;
}

/** A restored database had the seals up to this one. */
interface Restored extends Position {
  restored: string;
}

const BEFORE_ALL: Position = { pass: '0001-01-01', account: NIL_UUID, day: '0001-01-01' };

const keyOf = ({ pass, account, day }: Position) => `${pass} ${account} ${day}`;

/** The seals after a position, in the order of sealing. */
export async function* sealsAfter(sql: Sql, after: Position = BEFORE_ALL): AsyncGenerator<Anchor> {
  for (let hasMore = true; hasMore; ) {
    const page: Anchor[] = await sql<Anchor[]>`
      select pass, account_id as account, day, entries, income::text, expense::text, encode(digest, 'hex') as digest
        from ledger.seal where (pass, account_id, day) > (${after.pass}, ${after.account}, ${after.day})
       order by pass, account_id, day limit ${SEALS_PER_PAGE}`;
    yield* page;
    after = page.at(-1) ?? after;
    hasMore = page.length === SEALS_PER_PAGE;
  }
}

/** The line to append to a file of anchors after a backup was restored. */
export async function restoredNow(sql: Sql): Promise<Restored> {
  const [last = BEFORE_ALL] = await sql<Position[]>`
    select pass, account_id as account, day from ledger.seal order by pass desc, account_id desc, day desc limit 1`;
  return { restored: new Date().toISOString(), ...last };
}

/**
 * Reads a file of anchors.
 * @returns the digests by account and day, and the position of the last line
 * @throws Error that names the first line that is none
 */
export function readAnchors(text: string): {
  digests: Map<string, Map<string, string>>;
  last: Position | undefined;
} {
  let anchors: Anchor[] = [];
  let last: Position | undefined;
  for (const [n, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const anchor = parse(line, n + 1);
    if ('restored' in anchor) anchors = anchors.filter((each) => keyOf(each) <= keyOf(anchor));
    else anchors.push(anchor);
    last = anchor;
  }
  const digests = new Map<string, Map<string, string>>();
  for (const { account, day, digest } of anchors) {
    const days = digests.get(account) ?? new Map();
    digests.set(account, days.set(day, digest));
  }
  return { digests, last };
}

function parse(line: string, n: number): Anchor | Restored {
  try {
    const anchor = JSON.parse(line);
    const texts = [anchor.pass, anchor.account, anchor.day, anchor.digest ?? anchor.restored];
    if (texts.every((each) => typeof each === 'string')) return anchor;
  } catch {}
  throw new Error(`Line ${n} of the anchors is no line of \`admin seal\`.`);
}
