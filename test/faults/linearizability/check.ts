/**
 * Checks that the history of an account is linearizable: each request can have taken effect at one moment between call and
 * response, such that a single ledger gives every response. The write log has the order of the writes, so nothing is searched:
 * a moment is the number of writes before it. A request without an outcome may take effect at any time after its call, or
 * never; a refused one has no effect. A page is one request, a walk of pages is not.
 */
import { LIMITS } from '../../../proto/domain.ts';
import type { Books } from '../books.ts';
import { failed, lineOf, type Page, type Request, type Sources, type Write } from '../history.ts';
import { Ledger, matching, type StoredEntry } from './ledger.ts';

/** The moments at which something can have taken effect. */
interface Effect {
  begun: number;
  ended: number;
  first: number;
  last: number;
  what: string;
}

class Contradiction extends Error {}

/** Checks the requests of one account. @returns what contradicts one ledger */
export function checkLinearizability(requests: readonly Request[], books: Books): string[] {
  const ledger = new Ledger(requests, books);
  const found = [...ledger.errors];
  const effects = requests.flatMap((request): Effect[] => {
    const { begun, ended } = request;
    try {
      const moments = momentsOf(request, ledger);
      return moments ? [{ begun, ended, ...moments, what: lineOf(request) }] : [];
    } catch (error) {
      if (!(error instanceof Contradiction)) throw error;
      found.push(`${lineOf(request)}: ${error.message}`);
      return [];
    }
  });
  for (const [name, stored] of ledger.byOperation) {
    const begun = begunOf(requests.filter((each) => each.kind === 'write' && each.name === name) as Write[]);
    const [{ moment }] = stored as [StoredEntry];
    const what = `the write of ${name}`;
    if (begun === undefined) found.push(`${what} was refused, or created its entries twice`);
    // All that ended before it began took effect before it.
    else effects.push({ begun, ended: Number.POSITIVE_INFINITY, first: moment, last: moment - 1, what });
  }
  return [...found, ...outOfOrder(effects)];
}

/** When the request that created the entries of an operation can have begun; undefined: none can have created them. */
function begunOf(attempts: readonly Write[]): number | undefined {
  const unknown = attempts.filter((each) => !each.response && each.refused === undefined);
  const creators = attempts.filter(({ response }) => response && response.created > 0);
  const isKeyed = attempts[0]?.idempotencyKey !== undefined;
  if (creators.length > 1 && !isKeyed) return undefined;
  const possible = isKeyed || creators.length === 0 ? [...unknown, ...creators] : creators;
  return possible.length === 0 ? undefined : Math.min(...possible.map(({ begun }) => begun));
}

/** Each effect follows those that had ended before it began. */
function outOfOrder(effects: readonly Effect[]): string[] {
  const byEnd = effects.toSorted((a, b) => a.ended - b.ended);
  let [n, latest]: [number, Effect | undefined] = [0, undefined];
  return effects
    .toSorted((a, b) => a.begun - b.begun)
    .flatMap((effect) => {
      for (let each = byEnd[n]; each && each.ended < effect.begun; each = byEnd[++n]) {
        if (each.first > (latest?.first ?? 0)) latest = each;
      }
      if (!latest || latest.first <= effect.last) return [];
      return [`${effect.what}: it ignores what was before ${latest.what}`];
    });
}

type Moments = Pick<Effect, 'first' | 'last'>;

/** @throws Contradiction */
function momentsOf(request: Request, ledger: Ledger): Moments | undefined {
  if (request.kind === 'write' && request.refused === 'daily_cap') return momentsOfRefusal(request, ledger);
  if (failed(request) || request.refused !== undefined || !request.response) return undefined;
  switch (request.kind) {
    case 'write':
      return momentsOfWrite(request, request.response, ledger);
    case 'page':
      return momentsOfPage(request, request.response, ledger);
    case 'sources':
      return momentsOfCounts(request.response, ledger);
    case 'me':
      return undefined;
  }
}

function momentsOfRefusal({ entries }: Write, ledger: Ledger): Moments {
  const refs = new Set(entries.flatMap(({ externalRef }) => externalRef ?? []));
  const withoutRef = entries.filter(({ externalRef }) => externalRef === undefined).length;
  const first = ledger.totals.findIndex((total, moment) => {
    const added = [...refs].filter((ref) => (ledger.byRef.get(ref)?.moment ?? Infinity) > moment);
    return total + withoutRef + added.length > LIMITS.entriesPerDay;
  });
  if (first === -1) throw new Contradiction('refused below the cap');
  return { first, last: Number.POSITIVE_INFINITY };
}

const refsOf = (entries: readonly { externalRef?: string | null }[]) =>
  JSON.stringify(entries.map(({ externalRef }) => externalRef ?? '').sort());

function momentsOfWrite(write: Write, response: NonNullable<Write['response']>, ledger: Ledger): Moments {
  const { created, deduplicated, transactions, existing } = response;
  if (created !== transactions.length || deduplicated !== existing.length)
    throw new Contradiction('its counts differ from its lists');
  if (refsOf([...transactions, ...existing]) !== refsOf(write.entries))
    throw new Contradiction('its references are not those of the request');
  const stored = (list: typeof existing) => list.map((each) => named(each, ledger));
  const own = stored(transactions);
  if (own.some(({ operation }) => operation !== write.name))
    throw new Contradiction('it creates an entry of another');
  if (created > 0 && new Set(own).size !== ledger.byOperation.get(write.name)?.length)
    throw new Contradiction('it has created other entries than it lists');
  const known = stored(existing);
  if (known.some(({ row }) => row.externalRef === null))
    throw new Contradiction('an entry without a reference is known');
  const first = Math.max(0, ...[...own, ...known].map(({ moment }) => moment));
  if (own[0] && first > own[0].moment) throw new Contradiction('it knows an entry that was created later');
  return { first, last: Number.POSITIVE_INFINITY };
}

function named({ id, externalRef }: { id: string; externalRef: string | null }, ledger: Ledger): StoredEntry {
  const stored = ledger.byId.get(id);
  if (stored?.row.externalRef === externalRef) return stored;
  throw new Contradiction(`${id} with the reference ${externalRef} is not stored`);
}

function momentsOfPage(page: Page, response: NonNullable<Page['response']>, ledger: Ledger): Moments {
  const { transactions, nextCursor } = response;
  const shown = transactions.map((each) => {
    const stored = named(each, ledger);
    const { accountId: _, sourceId: __, transaction: ___, ...row } = stored.row;
    if (!Bun.deepEquals(row, each)) throw new Contradiction(`${each.id} is otherwise than it is stored`);
    return stored;
  });
  const all = matching(page, ledger.bySource.get(page.sourceId) ?? []);
  const placeOf = new Map(all.map((each, place) => [each, place]));
  const places = shown.map((each) => placeOf.get(each) ?? -1);
  if (places.some((place, n) => place <= (places[n - 1] ?? -1)))
    throw new Contradiction('it is out of order');
  if (shown.length > page.limit || (nextCursor !== null && shown.length < page.limit))
    throw new Contradiction('its length is not the limit');
  const end = nextCursor === null ? all.length : (places.at(-1) ?? -1) + 1;
  const momentsIn = (list: readonly StoredEntry[]) => list.map(({ moment }) => moment);
  const isShown = new Set(shown);
  const lacked = momentsIn(all.slice(0, end).filter((each) => !isShown.has(each)));
  if (nextCursor !== null && end === all.length) throw new Contradiction('it is the last and has a cursor');
  const more = nextCursor === null ? [] : [Math.min(...momentsIn(all.slice(end)))];
  return within(Math.max(0, ...momentsIn(shown), ...more), Math.min(...lacked) - 1);
}

function momentsOfCounts({ sources }: NonNullable<Sources['response']>, ledger: Ledger): Moments {
  const ranges = sources.map(({ id, transactionCount: count }) => {
    const moments =
      ledger.bySource
        .get(id)
        ?.map(({ moment }) => moment)
        .sort((a, b) => a - b) ?? [];
    if (count > moments.length) throw new Contradiction(`it counts ${count} of ${moments.length} entries`);
    return [moments[count - 1] ?? 0, (moments[count] ?? Number.POSITIVE_INFINITY) - 1] as const;
  });
  return within(Math.max(0, ...ranges.map(([first]) => first)), Math.min(...ranges.map(([, last]) => last)));
}

function within(first: number, last: number): Moments {
  if (first > last)
    throw new Contradiction(`it shows write ${first} of the account, and lacks write ${last + 1}`);
  return { first, last };
}
