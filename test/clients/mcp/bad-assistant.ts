/**
 * An assistant that does everything wrong that it can, by a seed: it changes rows, repeats, mixes and cancels commits, and restarts
 * the server.
 *
 *   bun test/clients/mcp/bad-assistant.ts [seed] [steps]
 *
 * plays once, and prints what it did.
 */
import { type Random, random } from '../../faults/random.ts';
import { rowsOf } from '../../fixtures/books.ts';
import { type Json, TestAccount } from '../../fixtures/client.ts';
import { endRun } from '../../fixtures/end-of-run.ts';
import { admin } from '../../fixtures/system.ts';
import { type Assistant, startAssistant, type ToolResult } from './assistant.ts';
import { accepted, INJECTION, newStatement, type Statement, textOf, variation } from './statements.ts';

/** Below the limit of a minute: a call takes at most six requests. */
const CALLS_PER_KEY = 19;
const TOKENS_AT_ONCE_MAX = 4;
const SOURCES = ['uk-property', 'self-employment'];

interface Shown {
  token: string;
  statement: Statement;
  entries: Json[];
}

export interface Played {
  account: TestAccount;
  /** A line for each step. */
  transcript: string[];
  /** The previews whose token was sent to `commit_preview`. */
  committed: Shown[];
  /** What should not have happened. */
  faults: string[];
}

export async function play(seed: number | string, steps: number): Promise<Played> {
  const account = await TestAccount.create();
  const player = new Player(account, random(seed));
  for (let step = 1; step <= steps; step++) await player.step(step);
  await player.stop();
  return player;
}

class Player implements Played {
  readonly transcript: string[] = [];
  readonly committed: Shown[] = [];
  readonly faults: string[] = [];
  readonly #shown: Shown[] = [];
  /** How many of them a server before this one has shown. */
  #shownBefore = 0;
  readonly #statements: Statement[] = [];
  #assistant: Assistant | undefined;
  #key = '';
  #callsLeft = 0;

  constructor(
    readonly account: TestAccount,
    readonly choose: Random,
  ) {}

  async stop(): Promise<void> {
    await this.#assistant?.[Symbol.asyncDispose]();
  }

  async step(step: number): Promise<void> {
    const acts: [number, () => Promise<string>][] = [
      [8, () => this.#preview()],
      [5, () => this.#commitSome()],
      [1, () => this.#cancelledCommit()],
      [1, () => this.#restart()],
    ];
    const all = acts.flatMap(([weight, act]) => Array<typeof act>(weight).fill(act));
    this.transcript.push(`${String(step).padStart(3)} ${await this.choose.pick(all)()}`);
  }

  /** A new server, with a key of its own. */
  async #restart(): Promise<string> {
    await this.stop();
    this.#key = (await admin.createKey({ accountId: this.account.accountId })).key;
    this.#callsLeft = CALLS_PER_KEY;
    this.#shownBefore = this.#shown.length;
    this.#assistant = await startAssistant(this.#key);
    return 'restart of the server';
  }

  async #call(name: string, args: object, signal?: AbortSignal): Promise<ToolResult> {
    if (this.#callsLeft-- <= 0) await this.#restart();
    const result = await (this.#assistant as Assistant).call(name, args, signal);
    if (result.text.includes(this.#key)) this.faults.push(`${name} shows the key`);
    return result;
  }

  /** Reading creates nothing, whatever a description says, and returns the description as it is. */
  async #preview(): Promise<string> {
    const { choose } = this;
    if (this.#statements.length === 0 || choose.chance(0.3)) this.#statements.push(newStatement(choose));
    const { name, statement, options } = variation(choose.pick(this.#statements.slice(-2)), choose, SOURCES);
    const stored = async () => JSON.stringify(await rowsOf(this.account.accountId));
    const before = await stored();
    const { isError, value } = await this.#call('preview_rows', { rows: textOf(statement), ...options });
    if ((await stored()) !== before) this.faults.push('a preview has changed the books');
    if (isError) return `preview, ${name}: ${value}`;
    const { token, creates, known, conflicts, probablyKnown, elsewhere } = value;
    for (const { description } of creates.entries) {
      if (/instructions/.test(description) && description !== INJECTION)
        this.faults.push(`a description is changed: ${description}`);
    }
    if (token !== null) this.#shown.push({ token, statement, entries: creates.entries });
    return `preview, ${name}: ${creates.count} new, ${known.count} known, ${conflicts.count} in conflict, ${probablyKnown.count} probably known, ${elsewhere.count} elsewhere`;
  }

  /** Several tokens at once, old ones too, and some of them twice. */
  async #commitSome(): Promise<string> {
    const { choose } = this;
    if (this.#callsLeft < TOKENS_AT_ONCE_MAX) await this.#restart();
    const fresh = this.#shown.slice(this.#shownBefore);
    const known = fresh.length > 0 && choose.chance(0.9) ? fresh.slice(-3) : this.#shown;
    if (known.length === 0) return 'commit: no token yet';
    const chosen = Array.from({ length: choose.int(1, TOKENS_AT_ONCE_MAX) }, () => choose.pick(known));
    return `commit of ${chosen.length} at once: ${(await Promise.all(chosen.map((each) => this.#commit(each)))).join('; ')}`;
  }

  async #commit(shown: Shown): Promise<string> {
    this.committed.push(shown);
    const { isError, value } = await this.#call('commit_preview', { token: shown.token });
    if (isError) return 'refused';
    return `${value.created} created, ${value.known} known, ${value.notCreated} not created`;
  }

  /** What was sent is then stored or not. The same token goes on, once the server has ended the cancelled call. */
  async #cancelledCommit(): Promise<string> {
    if (this.#callsLeft < 2) await this.#restart();
    const last = this.#shown.slice(this.#shownBefore).at(-1);
    if (!last) return 'cancelled commit: no token yet';
    const cancelled = new AbortController();
    const { token } = last;
    const running = this.#call('commit_preview', { token }, cancelled.signal).catch(() => undefined);
    // At any moment of it, or after it: every outcome is right.
    await Bun.sleep(this.choose.int(0, 30));
    cancelled.abort();
    const isDone = (await running) !== undefined;
    return `commit that is cancelled${isDone ? ' too late' : ''}, and again: ${await this.#commit(last)}`;
  }
}

if (import.meta.main) {
  const [seed = String(Date.now() % 1_000_000), steps = '60'] = process.argv.slice(2);
  const played = await play(seed, Number(steps));
  const { doubled, unseen, stored } = await accepted(played);
  console.log(`Seed ${seed}\n${played.transcript.join('\n')}`);
  console.log(
    `${stored} entries stored, ${doubled.length} doubled, ${unseen.length} that no committed preview showed`,
  );
  for (const fault of played.faults) console.log(fault);
  await endRun();
}
