/** Sends bursts of hostile requests over parallel connections and records the responses in a model of the books. */
import { rowsOf } from '../fixtures/books.ts';
import { judge } from './judge.ts';
import { BooksModel, type CreateResult } from './model.ts';
import { outcomeOf, RESPONSE_MS_MAX, verdict } from './oracle.ts';
import { type Hostile, type HttpRequest, IDEMPOTENCY_KEY, KEY, type Outcome, packetsOf } from './request.ts';
import { Connection, type WireResponse } from './wire.ts';
import type { World } from './world.ts';

export const CONNECTIONS = 16;
const ABANDON_AFTER_MS = 10;

export class Storm {
  /** The number of exchanges. */
  sent = 0;
  /** The outcomes that occurred. */
  readonly reached = new Set<Outcome>();
  readonly books: readonly BooksModel[];
  /** By account, the maximum number of created entries without an acknowledgement. */
  readonly unconfirmed: number[];
  readonly #connections: readonly Connection[];

  private constructor(
    private readonly world: World,
    port: number,
    books: readonly BooksModel[],
  ) {
    this.books = books;
    this.unconfirmed = books.map(() => 0);
    this.#connections = Array.from({ length: CONNECTIONS }, () => new Connection(port));
  }

  static async create(world: World, port: number): Promise<Storm> {
    const rows = await Promise.all(world.members.map(({ account }) => rowsOf(account.accountId)));
    return new Storm(
      world,
      port,
      rows.map((each) => new BooksModel(each)),
    );
  }

  /** @throws Error with the first exchange of the burst that broke a rule, and the rule */
  async send(burst: readonly Hostile[]): Promise<void> {
    const lanes = this.#connections.map(async (connection, lane) => {
      for (let at = lane; at < burst.length; at += CONNECTIONS) {
        const hostile = burst[at] as Hostile;
        const wrong = await this.#exchange(connection, hostile);
        if (wrong !== undefined) throw new Error(`${wrong}\n${shown(hostile)}`);
      }
    });
    const broken = (await Promise.allSettled(lanes)).find(({ status }) => status === 'rejected');
    if (broken?.status === 'rejected') throw broken.reason;
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
  }

  async #exchange(connection: Connection, hostile: Hostile): Promise<string | undefined> {
    this.sent++;
    const packets = packetsOf(hostile, await this.world.keyOf(hostile.by));
    if (hostile.kind === 'raw') {
      this.unconfirmed[hostile.by] = (this.unconfirmed[hostile.by] ?? 0) + hostile.mayCreate;
      const methods = Array<string>(hostile.responsesMax).fill('GET');
      const ms = hostile.isAbandoned ? ABANDON_AFTER_MS : RESPONSE_MS_MAX;
      connection.close();
      const exchange = await connection.exchange(packets, methods, ms);
      connection.close();
      return verdict(hostile, exchange, undefined, (text) => this.#isForeign(text, hostile.by));
    }

    const exchange = await connection.exchange(packets, [hostile.method], RESPONSE_MS_MAX);
    // Bun treats the bytes after a CONNECT as a tunnel, even when it has rejected the CONNECT.
    if (hostile.method === 'CONNECT') connection.close();
    const judgement = hostile.body && hostile.writesTo && judge(hostile.body, hostile.writesTo);
    const allowed =
      hostile.outcomes === 'any'
        ? undefined
        : hostile.outcomes === 'by body'
          ? judgement?.outcomes
          : hostile.outcomes;
    const wrong = verdict(hostile, exchange, allowed, (text) => this.#isForeign(text, hostile.by));
    const [response] = exchange.responses;
    const outcome = response && outcomeOf(response);
    if (outcome) this.reached.add(outcome);
    if (wrong !== undefined || !response || hostile.method !== 'POST' || outcome !== 'success') return wrong;
    if (!judgement || !hostile.writesTo) return 'a success of a request that must create nothing';
    return this.#record(hostile, hostile.writesTo, judgement.entries, response);
  }

  #record(
    { by, headers }: HttpRequest,
    { type }: NonNullable<HttpRequest['writesTo']>,
    entries: Parameters<BooksModel['record']>[0],
    { status, body }: WireResponse,
  ): string | undefined {
    const result: CreateResult = JSON.parse(body.toString());
    if (status !== (result.created > 0 ? 201 : 200)) return `status ${status} for ${result.created} created`;
    const sourceId = this.world.member(by).account.sources[type];
    const key = headers.find(([name]) => name === IDEMPOTENCY_KEY)?.[1];
    return this.books[by]?.record(entries, sourceId, result, key);
  }

  #isForeign(text: string, by: number): boolean {
    const markers = text.match(/books-of-\d+-[0-9a-f-]{36}/g) ?? [];
    return markers.some((marker) => marker !== this.world.member(by).marker);
  }
}

const SHOWN_MAX = 3_000;

/** The sent bytes, packet by packet, in ASCII. */
function shown(hostile: Hostile): string {
  const packets = packetsOf(hostile, KEY).map((packet) =>
    packet
      .toString('latin1')
      .replaceAll('\\', '\\\\')
      .replaceAll('\r\n', '\\r\\n\n')
      .replace(/[^\n -~]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`),
  );
  const text = packets.join('\n--- next packet ---\n');
  const name = hostile.kind === 'raw' ? `${hostile.name}, ` : '';
  return `${name}account ${hostile.by}:\n${text.slice(0, SHOWN_MAX)}${text.length > SHOWN_MAX ? ' ...' : ''}`;
}
