/** Sends bursts of hostile requests over parallel connections and records the responses in a model of the books. */

import type { CreateResult } from '../../clients/typescript/resources.ts';
import { ERRORS, type ErrorCode } from '../../gateway/api/errors.ts';
import { type Content, judge } from './judge.ts';
import { outcomeOf, RESPONSE_MS_MAX, verdict } from './oracle.ts';
import { type Hostile, type HttpRequest, KEY, type Outcome, packetsOf } from './request.ts';
import { Connection, type WireResponse } from './wire.ts';
import type { World } from './world.ts';

export const CONNECTIONS = 16;
const REFUSALS = Object.keys(ERRORS) as ErrorCode[];
const ABANDON_AFTER_MS = 10;

type Row = Content & { id: string; sourceId: string };

export class Storm {
  /** The number of exchanges. */
  sent = 0;
  /** The outcomes that occurred. */
  readonly reached = new Set<Outcome>();
  /** The acknowledged entries of each account, by their ids. */
  readonly books: Map<string, Row>[] = [];
  /** By account, the maximum number of created entries without an acknowledgement. */
  readonly unconfirmed: number[] = [];
  readonly #connections: readonly Connection[];

  constructor(
    private readonly world: World,
    port: number,
  ) {
    this.#connections = Array.from({ length: CONNECTIONS }, () => new Connection(port));
    for (const { rows } of world.members) this.books.push(new Map(rows.map((row) => [row.id, row])));
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
    const broken = (await Promise.allSettled(lanes)).find((lane) => lane.status === 'rejected');
    if (broken) throw broken.reason;
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
  }

  async #exchange(connection: Connection, hostile: Hostile): Promise<string | undefined> {
    this.sent++;
    const packets = packetsOf(hostile, await this.world.member(hostile.by).account.takeKey());
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
    const { body, writesTo, outcomes } = hostile;
    const entries = body && writesTo?.own ? judge(body, writesTo.type) : undefined;
    const byBody = entries ? ['success' as const] : REFUSALS;
    const allowed = outcomes === 'any' ? undefined : outcomes === 'by body' ? byBody : outcomes;
    const wrong = verdict(hostile, exchange, allowed, (text) => this.#isForeign(text, hostile.by));
    const [response] = exchange.responses;
    const outcome = response && outcomeOf(response);
    if (outcome) this.reached.add(outcome);
    if (wrong !== undefined || !response || hostile.method !== 'POST' || outcome !== 'success') return wrong;
    if (!entries || !writesTo) return 'a success of a request that must create nothing';
    return this.#record(hostile, writesTo, entries, response);
  }

  /** The entries of a response are those that were sent, in their order. The first one with a reference is created, unless it is known. */
  #record(
    { by }: HttpRequest,
    { type }: NonNullable<HttpRequest['writesTo']>,
    entries: readonly Content[],
    { status, body }: WireResponse,
  ): string | undefined {
    const { created, deduplicated, transactions, existing } = JSON.parse(body.toString()) as CreateResult;
    if (status !== (created > 0 ? 201 : 200)) return `status ${status} for ${created} created`;
    if (created !== transactions.length || deduplicated !== existing.length)
      return 'counts that differ from its lists';
    const sourceId = this.world.member(by).account.sources[type];
    const createdRefs = new Set(transactions.map(({ externalRef }) => externalRef));
    const [isNew, isOld] = [transactions.values(), existing.values()];
    for (const entry of entries) {
      const creates = entry.externalRef === null || createdRefs.delete(entry.externalRef);
      const reference = (creates ? isNew : isOld).next().value;
      if (reference?.externalRef !== entry.externalRef) return `a response without ${entry.externalRef}`;
      if (creates) this.books[by]?.set(reference.id, { ...entry, id: reference.id, sourceId });
    }
    return isNew.next().done && isOld.next().done ? undefined : 'more references than entries';
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
  return `account ${hostile.by}:\n${text.slice(0, SHOWN_MAX)}${text.length > SHOWN_MAX ? ' ...' : ''}`;
}
