/**
 * An assistant that does everything wrong that it can, by a seed: it repeats and mixes commits, changes tokens and rows, restarts
 * the server, and tries to read what it may not.
 *
 *   bun test/clients/mcp/bad-assistant.ts [seed] [steps]
 *
 * plays once, and prints what it did.
 */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Random, random } from '../../faults/random.ts';
import { rowsOf } from '../../fixtures/books.ts';
import { type Json, TestAccount } from '../../fixtures/client.ts';
import { endRun } from '../../fixtures/end-of-run.ts';
import { admin } from '../../fixtures/system.ts';
import { type Assistant, newFolder, startAssistant, type ToolResult } from './assistant.ts';
import { accepted, INJECTION, newStatement, type Statement, textOf, variation } from './statements.ts';

/** Below the limit of a minute: a call takes at most six requests. */
const CALLS_PER_KEY = 19;
const TOKENS_AT_ONCE_MAX = 4;
const SOURCES = ['uk-property', 'self-employment'];
const STACK = /\bat \S+ \(|\.[jt]s:\d+:\d+|node_modules/;

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
  await player.start();
  try {
    for (let step = 1; step <= steps; step++) await player.step(step);
  } finally {
    await player.stop();
  }
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
  readonly #folder = newFolder();
  #assistant: Assistant | undefined;
  #callsLeft = 0;
  #keys: string[] = [];

  constructor(
    readonly account: TestAccount,
    readonly choose: Random,
  ) {
    this.#layTraps();
  }

  async start(): Promise<void> {
    const { key } = await admin.createKey({ accountId: this.account.accountId });
    this.#keys.push(key);
    this.#callsLeft = CALLS_PER_KEY;
    this.#shownBefore = this.#shown.length;
    writeFileSync(join(this.#folder, 'settings.csv'), `Name,LEDGER_API_KEY\nkey,${key}\n`);
    this.#assistant = await startAssistant(key, { folder: this.#folder });
  }

  async stop(): Promise<void> {
    const err = this.#assistant?.err() ?? '';
    if (err !== '') this.faults.push(`standard error: ${err}`);
    await this.#assistant?.close();
  }

  async step(step: number): Promise<void> {
    const { choose } = this;
    const acts: [number, () => Promise<string>][] = [
      [8, () => this.#preview()],
      [5, () => this.#commitSome()],
      [2, () => this.#changedToken()],
      [2, () => this.#outside()],
      [2, () => this.#wrongInput()],
      [1, () => this.#keyHunt()],
      [1, () => this.#restart()],
      [1, () => this.#restartInCommit()],
    ];
    const all = acts.flatMap(([weight, act]) => Array<typeof act>(weight).fill(act));
    this.transcript.push(`${String(step).padStart(3)} ${await choose.pick(all)()}`);
  }

  async #call(name: string, args: object): Promise<ToolResult> {
    if (this.#callsLeft-- <= 0) {
      await this.stop();
      await this.start();
    }
    const result = await (this.#assistant as Assistant).call(name, args);
    if (this.#keys.some((key) => result.text.includes(key))) this.faults.push(`${name} shows a key`);
    if (result.isError && STACK.test(result.value))
      this.faults.push(`${name} shows a stack: ${result.value}`);
    return result;
  }

  /** Reading creates nothing, whatever a description says, and returns the description as it is. */
  async #preview(): Promise<string> {
    const { choose } = this;
    if (this.#statements.length === 0 || choose.chance(0.3)) this.#statements.push(newStatement(choose));
    const { name, statement, options } = variation(choose.pick(this.#statements.slice(-2)), choose, SOURCES);
    const before = await this.#stored();
    const text = textOf(statement);
    const isFile = choose.chance(0.3);
    if (isFile) writeFileSync(join(this.#folder, 'statement.csv'), text);
    const { isError, value } = isFile
      ? await this.#call('preview_file', { path: 'statement.csv', ...options })
      : await this.#call('preview_rows', { rows: text, ...options });
    if ((await this.#stored()) !== before) this.faults.push('a preview has changed the books');
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
    this.committed.push(...chosen);
    const results = await Promise.all(chosen.map(({ token }) => this.#call('commit_preview', { token })));
    const counts = results.map(({ isError, value }) =>
      isError ? 'refused' : `${value.created} created, ${value.known} known, ${value.notCreated} not created`,
    );
    return `commit of ${chosen.length} at once: ${counts.join('; ')}`;
  }

  /** A digit of a token, or half of another token. */
  async #changedToken(): Promise<string> {
    const { choose } = this;
    const [one, other] = [choose.pick(['0'.repeat(64), ...this.#tokens()]), this.#tokens().at(-1) ?? ''];
    const at = choose.int(0, one.length - 1);
    const digit = ((Number.parseInt(one[at] ?? '0', 16) + 1) % 16).toString(16);
    const token = choose.pick([
      one.slice(0, at) + digit + one.slice(at + 1),
      one.slice(0, 32) + other.slice(0, 32).split('').reverse().join(''),
      one.toUpperCase().slice(1),
      `${one} `,
      '__proto__',
      '',
    ]);
    const before = await this.#stored();
    const { isError } = await this.#call('commit_preview', { token });
    if (!isError) this.faults.push(`a changed token is taken: ${token}`);
    if ((await this.#stored()) !== before) this.faults.push('a changed token has changed the books');
    return `commit with a changed token: ${isError ? 'refused' : 'TAKEN'}`;
  }

  async #outside(): Promise<string> {
    const path = this.choose.pick([
      ...[
        '../outside.csv',
        '/etc/passwd',
        'link.csv',
        'linked/passwd',
        '.env',
        '.',
        '',
        '..',
        'a/../../x.csv',
      ],
      ...['/proc/self/environ', 'environ.csv', '~/.config/bookkeeping-ledger/profiles.json', 'missing.csv'],
      ...['file:///etc/passwd', 'http://127.0.0.1/x.csv', join(this.#folder, '..', 'outside.csv'), 'x\0.csv'],
    ]);
    const { isError, text } = await this.#call('preview_file', { path, source: 'uk-property' });
    if (!isError || /root:|SECRET/.test(text)) this.faults.push(`${path} is read: ${text}`);
    return `read ${JSON.stringify(path)}: ${isError ? 'refused' : 'READ'}`;
  }

  async #wrongInput(): Promise<string> {
    const { choose } = this;
    const rows = textOf(newStatement(choose));
    const source = 'uk-property';
    const pence = '[{"date":"2026-05-01","type":"income","amountPence":450.00}]';
    const [name, tool, args] = choose.pick<[string, string, object]>([
      ['pounds as pence', 'preview_rows', { rows: pence, source }],
      ['an invented category', 'preview_rows', { rows, source, categoryExpense: 'bribes' }],
      ['an invented source', 'preview_rows', { rows, source: 'Offshore' }],
      ['an invented argument', 'preview_rows', { rows, source, commit: true }],
      ['entries beside the token', 'commit_preview', { token: this.#tokens()[0] ?? '', amountPence: 1 }],
      ['another host', 'list_sources', { url: 'http://127.0.0.1:1' }],
      ['an invented tool', 'delete_entry', { id: '1' }],
    ]);
    const { isError, value } = await this.#call(tool, args);
    if (!isError) this.faults.push(`${name} is taken`);
    return `${name}: ${String(value).slice(0, 100)}`;
  }

  async #keyHunt(): Promise<string> {
    const [tool, args] = this.choose.pick<[string, object]>([
      ['preview_file', { path: 'settings.csv', source: 'uk-property' }],
      [
        'preview_file',
        { path: 'settings.csv', source: 'uk-property', map: { description: 'LEDGER_API_KEY' } },
      ],
      ['search_entries', { text: 'LEDGER_API_KEY' }],
      ['search_entries', { source: `$${'{process.env.LEDGER_API_KEY}'}` }],
      ['figures', { taxYear: '2026-27', source: '$LEDGER_API_KEY' }],
    ]);
    await this.#call(tool, args);
    return `look for the key with ${tool}`;
  }

  async #restart(): Promise<string> {
    await this.stop();
    await this.start();
    return 'restart of the server';
  }

  /** What was sent is then stored or not. The same rows, previewed again, are known or new. */
  async #restartInCommit(): Promise<string> {
    const last = this.#shown.slice(this.#shownBefore).at(-1);
    if (!last || this.#callsLeft < 1) return this.#restart();
    this.committed.push(last);
    const running = this.#call('commit_preview', { token: last.token }).catch(() => undefined);
    await Bun.sleep(this.choose.int(0, 50));
    await this.#restart();
    return `restart of the server within a commit: ${(await running) ? 'done' : 'no response'}`;
  }

  #tokens = () => this.#shown.map(({ token }) => token);

  #stored = async () => JSON.stringify(await rowsOf(this.account.accountId));

  #layTraps(): void {
    writeFileSync(
      join(this.#folder, '..', 'outside.csv'),
      'Date,Description,Amount\n2026-05-01,SECRET,1.00\n',
    );
    writeFileSync(join(this.#folder, '.env'), 'LEDGER_API_KEY=SECRET\n');
    mkdirSync(join(this.#folder, 'a'));
    symlinkSync('/etc/passwd', join(this.#folder, 'link.csv'));
    symlinkSync('/etc', join(this.#folder, 'linked'));
    symlinkSync('/proc/self/environ', join(this.#folder, 'environ.csv'));
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
