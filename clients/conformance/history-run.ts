/** Records the history of concurrent clients of a running service, and checks it. */
import type { History, Page, Request, SentEntry, Sources, Transaction, Write } from './history.ts';
import { type Random, randomOf } from './history-random.ts';
import { type SendRequest, send } from './history-send.ts';
import { compareTexts, type Position } from './linear-pages.ts';
import { checkLinearizability, type Verdict } from './linearizability.ts';

export interface RunOptions {
  sendRequest: SendRequest;
  /** Sources of the account without other writers during the run. */
  sourceIds: string[];
  seed: number;
  /** The prefix of all references, descriptions and keys of the run. It differs from run to run. */
  prefix: string;
  clients: number;
  writes: number;
  reads: number;
}

interface Sender {
  random: Random;
  prefix: string;
  /** The month of all entries of the run, which had none before. */
  month: string;
  sourceIds: string[];
  send<Kind extends Request>(
    request: Unsent<Kind>,
    options?: { cursor?: string; timeoutMs?: number },
  ): Promise<Kind>;
}

type Unsent<Kind extends Request> = Omit<Kind, 'accountId' | 'begun' | 'ended'>;

/**
 * Sends `writes` and `reads` requests, then reads everything, and returns the history and the verdict. Some writes are
 * repeated, some overlap, and some are abandoned, which leaves their outcome unknown.
 */
export async function historyOf(options: RunOptions): Promise<{ history: History; verdict: Verdict }> {
  const { seed, prefix, sourceIds, sendRequest, clients, writes, reads } = options;
  const requests: Request[] = [];
  const sender: Sender = {
    random: randomOf(seed),
    prefix,
    month: '',
    sourceIds,
    async send(request, { cursor, timeoutMs } = {}) {
      const begun = performance.now();
      const recorded = {
        ...request,
        accountId: 'account',
        begun,
        ended: Number.POSITIVE_INFINITY,
      } as never as Request;
      requests.push(recorded);
      await send(recorded, { sendRequest, cursor, timeoutMs });
      recorded.ended = performance.now();
      if (recorded.kind === 'sources' && recorded.response) {
        // Others may write to the other sources of the account.
        recorded.response.sources = recorded.response.sources.filter(({ id }) => sourceIds.includes(id));
      }
      return recorded as never;
    },
  };
  sender.month = await emptyMonth(sender);
  const before = await readSources(sender);
  const storedBefore = Object.fromEntries(
    (before.response?.sources ?? []).map(({ id, transactionCount }) => [id, transactionCount]),
  );

  const left = { writes, reads };
  const sent: Unsent<Write>[] = [];
  await Promise.all(
    Array.from({ length: clients }, async () => {
      const reader: Reader = {};
      while (left.writes + left.reads > 0) {
        const isWrite = sender.random.int(1, left.writes + left.reads) <= left.writes;
        left[isWrite ? 'writes' : 'reads']--;
        if (isWrite) await write(sender, sent);
        else await read(sender, reader);
      }
    }),
  );
  const all = await readAll(sender);
  await readSources(sender);
  const history = { requests, storedBefore };
  return { history, verdict: checkLinearizability(history, { compare: inOrderOf(all) }) };
}

const MONTHS_MAX = 10;

/** @throws Error if none of the months that were tried is without entries */
async function emptyMonth({ random, sourceIds, send }: Sender): Promise<string> {
  for (let tries = 0; tries < MONTHS_MAX; tries++) {
    const month = `${random.int(1000, 1899)}-${String(random.int(1, 12)).padStart(2, '0')}`;
    const range = { from: `${month}-01`, to: `${month}-28`, limit: 1 };
    const pages = await Promise.all(
      sourceIds.map((sourceId) => send<Page>({ kind: 'page', name: `GET ${month}`, sourceId, ...range })),
    );
    if (pages.every(({ response }) => response?.transactions.length === 0)) return month;
  }
  throw new Error(`${MONTHS_MAX} months were tried, and none could be read and was without entries`);
}

const REPEATED = 0.2;
const ABANDONED = 0.05;

async function write(
  { random, prefix, month, sourceIds, send }: Sender,
  sent: Unsent<Write>[],
): Promise<void> {
  const isRepeated = sent.length > 0 && random.chance(REPEATED);
  const request = isRepeated ? random.pick(sent) : newWrite();
  if (isRepeatable(request)) sent.push(request);
  await send<Write>(request, random.chance(ABANDONED) ? { timeoutMs: random.int(1, 8) } : {});

  function newWrite(): Unsent<Write> {
    const name = `${prefix}-${random.bits() >>> 0}`;
    const isKeyed = random.chance(0.25);
    const refs = sent.flatMap(({ entries }) => entries.flatMap(({ externalRef }) => externalRef ?? []));
    const entries = Array.from({ length: random.int(1, 6) }, (_, index): SentEntry => {
      const isOverlapping = refs.length > 0 && random.chance(0.2);
      const ref = isOverlapping ? random.pick(refs) : `${name}/${index}`;
      const hasRef = !isKeyed && random.chance(0.7);
      return {
        date: `${month}-${String(random.int(1, 28)).padStart(2, '0')}`,
        type: random.pick(['income', 'expense']),
        amountPence: random.int(1, 100_000),
        description: `${name}/${index}`,
        ...(hasRef && { externalRef: ref }),
      };
    });
    const sourceId = random.pick(sourceIds);
    return {
      kind: 'write',
      name: `POST ${name}`,
      sourceId,
      entries,
      ...(isKeyed && { idempotencyKey: name }),
    };
  }
}

const isRepeatable = ({ idempotencyKey, entries }: Unsent<Write>) =>
  idempotencyKey !== undefined || entries.every(({ externalRef }) => externalRef !== undefined);

/** The next page of the list that a client reads. */
interface Reader {
  next?: { page: Unsent<Page>; cursor: string };
}

async function read(sender: Sender, reader: Reader): Promise<void> {
  const { random, month, sourceIds } = sender;
  if (random.chance(0.1)) {
    await readSources(sender);
    return;
  }
  const day = `${month}-${random.pick(['07', '14', '21'])}`;
  const range = random.pick([{}, { from: day }, { to: day }]);
  const first = {
    kind: 'page' as const,
    name: 'GET a page',
    sourceId: random.pick(sourceIds),
    ...{ from: `${month}-01`, to: `${month}-28`, ...range },
    limit: random.pick([5, 50, 200]),
  };
  const { page, cursor } = reader.next ?? { page: first, cursor: undefined };
  delete reader.next;
  const next = nextOf(await sender.send<Page>(page, cursor === undefined ? {} : { cursor }), page);
  if (next) reader.next = next;
}

function nextOf({ response }: Page, page: Unsent<Page>): Reader['next'] {
  const last = response?.transactions.at(-1);
  if (!response?.nextCursor || !last) return undefined;
  return { page: { ...page, after: { date: last.date, id: last.id } }, cursor: response.nextCursor };
}

const readSources = ({ send }: Sender) => send<Sources>({ kind: 'sources', name: 'GET the sources' });

const PAGES_MAX = 100;

/** Every entry of the month, source by source. */
async function readAll({ month, sourceIds, send }: Sender): Promise<Transaction[]> {
  const all: Transaction[] = [];
  for (const sourceId of sourceIds) {
    const range = { from: `${month}-01`, to: `${month}-28`, limit: 200 };
    let next: Reader['next'] | { page: Unsent<Page>; cursor?: undefined } = {
      page: { kind: 'page', name: 'GET a page at the end', sourceId, ...range },
    };
    for (let pages = 0; next && pages < PAGES_MAX; pages++) {
      const { page, cursor }: { page: Unsent<Page>; cursor?: string | undefined } = next;
      const read: Page = await send<Page>(page, cursor === undefined ? {} : { cursor });
      all.push(...(read.response?.transactions ?? []));
      next = nextOf(read, page);
    }
  }
  return all;
}

/** The order of pages: newest date first, then the order of the list of all entries. An entry that the list lacks is missing in any case. */
function inOrderOf(all: Transaction[]): (a: Position, b: Position) => number {
  const positions = new Map(all.map(({ id }, position) => [id, position]));
  return (a, b) => {
    const [first, second] = [positions.get(a.id), positions.get(b.id)];
    const areListed = first !== undefined && second !== undefined;
    return compareTexts(b.date, a.date) || (areListed ? first - second : compareTexts(b.id, a.id));
  };
}
