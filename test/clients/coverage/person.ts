/** The person: pushes files, answers every question truthfully, proves, and corrects in the app what a list names. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { random } from '../../faults/random.ts';
import { rowsOf as databaseRows } from '../../fixtures/books.ts';
import { admin } from '../../fixtures/system.ts';
import { until } from '../../fixtures/until.ts';
import { type CommandResult, directory, newConfig, newUser, spawnLedger } from '../cli/command.ts';
import { correct, removeHouse } from './app.ts';
import { attribute, type Entry, Versions } from './attribution.ts';
import type { Bank, BankFile, Row } from './bank.ts';
import { FORMATS } from './formats.ts';
import { HOUSES, type House, type Rules, textOfRules } from './rules.ts';
import { inWords, isEqual, namesItsAccount, type Push, rowsOf, type Story } from './story.ts';
import {
  type Answer,
  answerQuestions,
  type Correction,
  EXIT_QUESTIONS,
  isStored,
  needsAccounts,
  readCorrections,
  toldAsNotStored,
} from './surface.ts';
import type { Payment, Version } from './world.ts';

/** More rounds of questions than any file has groups. */
const ROUNDS_MAX = 6;

export interface PushOptions {
  rules?: Rules;
  /** Another computer: with its own configuration and decisions. */
  isOtherComputer?: boolean;
  isOtherProperty?: boolean;
  /** Names the account, in a file that does not. */
  label?: string;
}

export interface Proof {
  isProved: boolean;
  corrections: Correction[];
}

interface Computer {
  env: Record<string, string>;
  decisions: string;
}

interface Given {
  path: string;
  file: BankFile;
}

export class Person {
  readonly versions = new Versions();
  readonly #folder = mkdtempSync(join(directory, 'person-'));
  readonly #houses = new Map<House, string>();
  readonly #rulesEverUsed: Rules[] = [];
  readonly #paths = new Map<BankFile, string>();
  /** Entries that an answer has settled. */
  readonly #settled = new Map<string, Payment>();
  readonly #chance = random('answers');
  #files = 0;

  private constructor(
    readonly story: Story,
    readonly user: Awaited<ReturnType<typeof newUser>>,
    readonly home: Computer,
    public rules: Rules,
  ) {}

  static async create(bank: Bank, rules: Rules): Promise<Person> {
    const { ids, changes, world } = bank;
    const story: Story = { ids, changes, accounts: world.accounts, pushes: [], removed: [], words: [] };
    const user = await newUser();
    const person = new Person(story, user, newComputer(), rules);
    const { accountId } = user.account;
    for (const name of HOUSES) {
      const details = { type: 'uk-property', role: 'owner', sharePercent: 100 };
      person.#houses.set(name, (await admin.createSource({ accountId, name, ...details })).id);
    }
    return person;
  }

  /** The entries of all properties, over HTTP. */
  async entries(): Promise<Entry[]> {
    const read = [...this.#houses].map(async ([house, id]) => {
      const entries = await this.user.account.entries(id);
      return entries.map(
        ({ id, date, type, amountPence, description }): Entry => ({
          ...{ id, date, house, description: description ?? '' },
          pence: type === 'income' ? amountPence : -amountPence,
        }),
      );
    });
    return (await Promise.all(read)).flat();
  }

  /** Pushes files in one command, until no question is open. */
  async push(files: BankFile[], options: PushOptions = {}): Promise<Push> {
    const computer = options.isOtherComputer ? newComputer() : this.home;
    const push = this.#newPush(files, options);
    const before = await this.entries();
    await this.#pushUntilAnswered(push, computer, options.label);
    await this.#finish(push, before);
    return push;
  }

  /** Two runs of the command at the same moment; each is repeated with answers. */
  async pushAtOnce(one: BankFile[], other: BankFile[]): Promise<Push> {
    const [first, second] = [this.#newPush(one, {}), this.#newPush(other, {})];
    const both: Push = { ...this.#newPush([...one, ...other], {}), isAtOnce: true };
    const [home, away] = [this.home, newComputer()];
    const before = await this.entries();
    this.story.words.push('(two runs at once)');
    const runs = [
      this.#run(home, this.#pushArgs(first, home, this.#path('report', 'csv'))),
      this.#run(away, this.#pushArgs(second, away, this.#path('report', 'csv'))),
    ];
    const codes = (await Promise.all(runs)).map(({ exitCode }) => exitCode);
    await this.#pushUntilAnswered(first, home);
    await this.#pushUntilAnswered(second, away);
    for (const each of [first, second]) {
      for (const id of each.asked) both.asked.add(id);
      both.told.push(...each.told);
    }
    const all = [...codes, first.exitCode, second.exitCode];
    both.exitCode = isStored(first.exitCode) && isStored(second.exitCode) ? first.exitCode : Math.max(...all);
    await this.#finish(both, before);
    return both;
  }

  /** Begins a push in a process of its own, and kills it once the service has stored something. */
  async pushAndKill(file: BankFile): Promise<void> {
    const push = this.#newPush([file], {});
    const before = await this.entries();
    const { accountId } = this.user.account;
    const args = this.#pushArgs(push, this.home, this.#path('report', 'csv'));
    this.story.words.push(`(kill -9) ledger ${this.#short(args)}`);
    const child = spawnLedger(args, { env: { ...this.home.env, ...(await this.#key()) } });
    const changed = async () =>
      child.exitCode !== null || (await databaseRows(accountId)).length > before.length;
    await until('the killed push has stored something, or has ended', changed);
    child.kill('SIGKILL');
    push.exitCode = await child.exited;
    // It promises nothing.
    await this.#finish({ ...push, exitCode: 137 }, before);
  }

  /** Proves files, and answers what is asked. */
  async prove(files: BankFile[], label?: string): Promise<Proof> {
    const given = this.#give(files);
    const accounts: string[] = [];
    for (let round = 0; ; round++) {
      const list = this.#path('list', 'csv');
      const common = [...this.#commonArgs(given, this.rules, this.home, label), ...accounts];
      const { exitCode, err } = await this.#run(this.home, ['reconcile', ...common, '--corrections', list]);
      if (needsAccounts(exitCode, err) && accounts.length === 0) {
        accounts.push(...this.#accountArgs(given));
        continue;
      }
      const { words } = await this.#answer(this.home);
      if (words > 0 && round < ROUNDS_MAX) continue;
      const corrections = readCorrections(list);
      for (const { text } of corrections) this.story.words.push(`    list: ${this.#plain(text)}`);
      return { isProved: exitCode === 0, corrections };
    }
  }

  async correct(corrections: readonly Correction[]): Promise<void> {
    for (const each of corrections) await correct(this.user.account.accountId, this.#houses, each);
    this.story.words.push(`(the list is applied in the app: ${corrections.length} lines)`);
  }

  async removeHouse(house: House): Promise<void> {
    await removeHouse(this.#houses, house);
    this.story.removed.push(house);
    this.story.words.push(`(${house} is removed in the app)`);
  }

  #newPush(files: BankFile[], { rules = this.rules, isOtherProperty = false }: PushOptions): Push {
    if (!this.#rulesEverUsed.includes(rules)) this.#rulesEverUsed.push(rules);
    const given = this.#give(files);
    const empty = { exitCode: -1, isAtOnce: false, asked: new Set<string>(), created: [], told: [] };
    return { ...empty, files: given, rules, isOtherProperty };
  }

  /** Writes the files, and notes what they show. */
  #give(files: BankFile[]): Given[] {
    return files.map((file) => {
      const path = this.#paths.get(file) ?? join(this.#folder, file.name);
      if (!this.#paths.has(file)) {
        writeFileSync(path, file.text);
        this.#paths.set(file, path);
        const rows = file.rows.map(
          ({ row, version, id }) => `${row}: ${inWords(version)}${id ? ` (${id})` : ''}`,
        );
        this.story.words.push(`${file.name} (${file.format}): ${rows.join('; ')}`);
      }
      // Each time, because rules may be new.
      for (const { payment, version } of file.rows) this.versions.add(payment, version, this.#rulesEverUsed);
      return { path, file };
    });
  }

  async #pushUntilAnswered(push: Push, computer: Computer, label?: string): Promise<void> {
    const accounts: string[] = [];
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const report = this.#path('report', 'csv');
      const args = [...this.#pushArgs(push, computer, report, label), ...accounts];
      const { exitCode, err } = await this.#run(computer, args);
      push.exitCode = exitCode;
      if (isStored(exitCode)) push.told = toldAsNotStored(report);
      if (exitCode === EXIT_QUESTIONS) {
        const { words, ids } = await this.#answer(computer);
        for (const id of ids) push.asked.add(id);
        if (words > 0) continue;
      }
      // As the message proposes.
      if (needsAccounts(exitCode, err) && accounts.length === 0) {
        accounts.push(...this.#accountArgs(push.files));
        continue;
      }
      return;
    }
  }

  async #finish(push: Push, before: readonly Entry[]): Promise<void> {
    const known = new Set(before.map(({ id }) => id));
    push.created = (await this.entries()).filter(({ id }) => !known.has(id));
    const payments = rowsOf(push).map(({ row }) => row.payment);
    for (const entry of push.created) this.versions.noteOrigin(entry, payments);
    this.story.pushes.push(push);
    this.story.words.push(
      `    created: ${push.created.map((entry) => `${inWords(entry)} in ${entry.house}`).join('; ') || 'nothing'}`,
    );
  }

  /** Answers what is open, by the truth. */
  async #answer(computer: Computer): Promise<{ words: number; ids: string[] }> {
    const rows = new Map<string, Row>();
    for (const [file, path] of this.#paths) for (const row of file.rows) rows.set(`${path} ${row.row}`, row);
    const entries = await this.entries();
    const ids: string[] = [];
    const words = answerQuestions(computer.decisions, (question) => {
      ids.push(...question.entries);
      const asked = question.rows.map(({ path, row }) => {
        const found = rows.get(`${path} ${row}`);
        if (!found) throw new Error(`No file has row ${row} of ${path}`);
        return { path, row: found };
      });
      const first = [...this.#paths].filter(([, path]) => asked.some((each) => each.path === path));
      const now = new Map(
        first.flatMap(([file]) => file.rows.map((row) => [row.payment, row.version] as const)),
      );
      const { of } = attribute(entries, this.versions, {
        first: [...now.keys()],
        fixed: this.#settled,
        prefers: (entry, payment) => {
          const version = now.get(payment);
          return (
            version?.date === entry.date &&
            version.description === entry.description &&
            version.pence === entry.pence
          );
        },
      });
      return asked.map(({ row }): Answer => {
        const isSame = (entry: Entry) => this.#isSame(entry, row.payment, of, now, entries);
        const same = entries.find((entry) => question.entries.includes(entry.id) && isSame(entry))?.id;
        if (same === undefined) return 'new';
        this.#settled.set(same, row.payment);
        return { sameAs: same };
      });
    });
    this.story.words.push(...words.map((each) => `    asked: ${each}`));
    return { words: words.length, ids };
  }

  /** The truth of an entry and a row. @param now what the file of the row shows */
  #isSame(
    entry: Entry,
    payment: Payment,
    of: ReadonlyMap<string, Payment>,
    now: ReadonlyMap<Payment, Version>,
    entries: readonly Entry[],
  ): boolean {
    const holder = of.get(entry.id);
    const settled = this.#settled.get(entry.id);
    if (holder === payment || settled) return (settled ?? holder) === payment;
    if (!this.versions.canBe(entry, payment)) return false;
    // An entry too many is the payment as well: it is no other one.
    if (holder === undefined) return true;
    const [mine, other] = [now.get(payment), now.get(holder)];
    if (!mine || !other || !isEqual(mine, other)) return false;
    // Rows that nobody can tell apart: either can be the entry, if there are not more entries than rows.
    const twins = [...now.values()].filter((version) => isEqual(version, mine)).length;
    const equal = entries.filter((each) => this.versions.canBe(each, payment)).length;
    return equal > twins || this.#chance.chance(0.5);
  }

  #pushArgs({ files, rules }: Push, computer: Computer, report: string, label?: string): string[] {
    return ['push', ...this.#commonArgs(files, rules, computer, label), '--yes', '--report', report];
  }

  #commonArgs(files: readonly Given[], rules: Rules, { decisions }: Computer, label?: string): string[] {
    // A bank account: money out has a minus.
    const maps = files
      .filter(({ file }) => file.format === 'plain' || file.format === 'plainWithIds')
      .flatMap(({ path }) => ['--map', `${files.length > 1 ? `${path}:` : ''}amount=Amount`]);
    const isDated = files.some(({ file }) => FORMATS[file.format].extension === 'qif');
    return [
      ...files.map(({ path }) => path),
      ...this.#rulesArgs(rules),
      ...maps,
      ...(isDated ? ['--date-format', 'dmy'] : []),
      ...(label === undefined ? [] : ['--account-label', label]),
      ...['--decide', decisions],
    ];
  }

  #accountArgs(files: readonly Given[]): string[] {
    const unnamed = files.filter(({ file }) => !namesItsAccount(file));
    return unnamed.flatMap(({ path, file }) => ['--account', `${path}=account ${file.account}`]);
  }

  #rulesArgs(rules: Rules): string[] {
    if (rules.rules.length === 0) return ['-s', rules.otherwise, '--no-rules'];
    const path = join(this.#folder, `${rules.name}.txt`);
    writeFileSync(path, textOfRules(rules));
    return ['--rules', path];
  }

  async #run(computer: Computer, args: string[]): Promise<CommandResult> {
    const result = await this.user.run(args, { env: { ...computer.env, ...(await this.#key()) } });
    const why = isStored(result.exitCode) ? '' : ` ${this.#plain(result.err.split('\n')[0] ?? '')}`;
    this.story.words.push(`ledger ${this.#short(args)} -> ${result.exitCode}${why}`);
    return result;
  }

  /** A key of its own for each command, and so a minute of its own. */
  async #key(): Promise<{ LEDGER_API_KEY: string }> {
    const { key = '' } = await admin.createKey({ accountId: this.user.account.accountId });
    return { LEDGER_API_KEY: key };
  }

  #path = (name: string, extension: string) => join(this.#folder, `${name}-${++this.#files}.${extension}`);
  /** Without the folders of this run. */
  #plain = (text: string) => text.replaceAll(/\S*\/(?=(?:decisions|[a-z]+-[\w-]+)\.)/g, '');
  #short = (args: string[]) => this.#plain(args.join(' '));
}

const newComputer = (): Computer => {
  const env = newConfig();
  return { env, decisions: join(env.XDG_CONFIG_HOME, 'decisions.csv') };
};
