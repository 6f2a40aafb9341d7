/** The person: pushes files, answers every question truthfully, proves, and corrects in the app what a list names. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rowsOf as databaseRows } from '../../fixtures/books.ts';
import { admin } from '../../fixtures/system.ts';
import { until } from '../../fixtures/until.ts';
import { type CommandResult, directory, newUser, spawnLedger } from '../cli/command.ts';
import { answererOf, judgeOf } from './answers.ts';
import { correct, removeHouse } from './app.ts';
import { accountArguments, argumentsOf, type Given } from './arguments.ts';
import { type Entry, Versions } from './attribution.ts';
import type { Bank, BankFile } from './bank.ts';
import { type Computer, newComputer } from './computer.ts';
import { HOUSES, type House, type Rules } from './rules.ts';
import { inWords, namesItsAccount, type Push, type PushOptions, rowsOf, type Story } from './story.ts';
import {
  type AppChange,
  answerQuestions,
  createdIn,
  EXIT_QUESTIONS,
  isStored,
  needsAccounts,
  readAppChanges,
  reasonsOf,
  toldAsNotStored,
} from './surface.ts';
import { Truth } from './truth.ts';
import type { Payment } from './world.ts';

/** More rounds of questions than any file has groups. */
const ROUNDS_MAX = 6;

export class Person {
  readonly versions = new Versions();
  readonly #folder = mkdtempSync(join(directory, 'person-'));
  readonly #houses = new Map<House, string>();
  readonly #rulesEverUsed: Rules[] = [];
  readonly #paths = new Map<BankFile, string>();
  readonly #truth = new Truth(this.versions);
  /** Accounts that the person has named: from then on always, as the documentation demands. */
  readonly #named = new Set<number>();
  #files = 0;

  private constructor(
    readonly story: Story,
    readonly user: Awaited<ReturnType<typeof newUser>>,
    readonly home: Computer,
    public rules: Rules,
  ) {}

  static async create(bank: Bank, rules: Rules): Promise<Person> {
    const { ids, changes, world } = bank;
    const unseen = () =>
      bank.shown.flatMap(({ payment, version }) =>
        person.versions.payments.includes(payment) ? [] : version,
      );
    const log = { pushes: [], removed: [], words: [] };
    const story: Story = { ids, changes, accounts: world.accounts, unseen, ...log };
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
      return entries.map(({ id, date, type, amountPence, description }): Entry => {
        const pence = type === 'income' ? amountPence : -amountPence;
        return { id, date, house, description: description ?? '', pence };
      });
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
    const reports = [this.#path('report', 'csv'), this.#path('report', 'csv')] as const;
    const runs = [
      this.#run(home, this.#pushArgs(first, home, reports[0])),
      this.#run(away, this.#pushArgs(second, away, reports[1])),
    ];
    const codes = (await Promise.all(runs)).map(({ exitCode }) => exitCode);
    await this.#noteCreated(first, reports[0]);
    await this.#noteCreated(second, reports[1]);
    await this.#pushUntilAnswered(first, home);
    await this.#pushUntilAnswered(second, away);
    for (const each of [first, second]) {
      for (const id of each.asked) both.asked.add(id);
      for (const payment of each.askedFor) both.askedFor.add(payment);
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
  async prove(files: BankFile[]): Promise<{ isProved: boolean; appChanges: AppChange[] }> {
    const given = this.#give(files);
    for (let round = 0; ; round++) {
      const list = this.#path('list', 'csv');
      const common = [
        ...argumentsOf(given, this.rules, this.#folder),
        ...accountArguments(given, this.#named),
      ];
      const outputs = ['--decide', this.home.decisions, '--corrections', list];
      const { exitCode, err } = await this.#run(this.home, ['reconcile', ...common, ...outputs]);
      if (needsAccounts(exitCode, err) && this.#nameAccounts(given)) continue;
      const listed = readAppChanges(list);
      const words = await this.#answer(this.home, given, undefined, listed);
      if (words > 0 && round < ROUNDS_MAX) continue;
      const appChanges = await this.#checked(listed, files);
      for (const { text, action } of listed)
        if (action !== 'check') this.story.words.push(`    list: ${this.#plain(text)}`);
      return { isProved: exitCode === 0, appChanges };
    }
  }

  async correct(appChanges: readonly AppChange[]): Promise<void> {
    for (const each of appChanges) {
      await correct(this.user.account.accountId, this.#houses, each);
      // From now on it is what the list made of it.
      this.versions.forgetOrigin(each.id);
    }
    this.story.words.push(`(the list is applied in the app: ${appChanges.length} lines)`);
  }

  async removeHouse(house: House): Promise<void> {
    await removeHouse(this.#houses, house);
    this.story.removed.push(house);
    this.story.words.push(`(${house} is removed in the app)`);
  }

  #newPush(files: BankFile[], { rules = this.rules, isOtherProperty = false }: PushOptions): Push {
    if (!this.#rulesEverUsed.includes(rules)) this.#rulesEverUsed.push(rules);
    const given = this.#give(files);
    const asked = { asked: new Set<string>(), askedFor: new Set<Payment>() };
    const none = { exitCode: -1, isAtOnce: false, created: [], told: [] };
    return { ...none, ...asked, files: given, rules, isOtherProperty };
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
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const report = this.#path('report', 'csv');
      const args = this.#pushArgs(push, computer, report, label);
      const { exitCode, err } = await this.#run(computer, args);
      push.exitCode = exitCode;
      if (isStored(exitCode)) push.told = toldAsNotStored(report, exitCode);
      await this.#noteCreated(push, report);
      if (exitCode === EXIT_QUESTIONS) {
        const words = await this.#answer(computer, push.files, push);
        if (words > 0) continue;
      }
      // As the message proposes.
      if (needsAccounts(exitCode, err) && this.#nameAccounts(push.files)) continue;
      return;
    }
  }

  /** @returns whether one of them was not named yet */
  #nameAccounts(files: readonly Given[]): boolean {
    const open = files.filter(({ file }) => !namesItsAccount(file) && !this.#named.has(file.account));
    for (const { file } of open) this.#named.add(file.account);
    return open.length > 0;
  }

  /** The report says which file has created an entry. Equal rows of one account can stand for one another. */
  async #noteCreated(push: Push, report: string): Promise<void> {
    const files = createdIn(report);
    const rows = rowsOf(push);
    for (const entry of files.size > 0 ? await this.entries() : []) {
      const account = rows.find(({ path }) => path === files.get(entry.id))?.file.account;
      const own = rows.filter(({ file }) => file.account === account);
      const payments = own.map(({ row }) => row.payment);
      this.versions.noteOrigin(entry, payments);
    }
  }

  async #finish(push: Push, before: readonly Entry[]): Promise<void> {
    const known = new Set(before.map(({ id }) => id));
    push.created = (await this.entries()).filter(({ id }) => !known.has(id));
    const payments = rowsOf(push).map(({ row }) => row.payment);
    for (const entry of push.created)
      if (!this.versions.originsOf(entry)) this.versions.noteOrigin(entry, payments);
    this.story.pushes.push(push);
    this.story.words.push(
      `    created: ${push.created.map((entry) => `${inWords(entry)} in ${entry.house}`).join('; ') || 'nothing'}`,
    );
  }

  /** Answers what is open, by the truth. @param listed what a list names beside the questions @returns how many questions that were */
  async #answer(
    computer: Computer,
    given: readonly Given[],
    push?: Push,
    listed: readonly AppChange[] = [],
  ): Promise<number> {
    const entries = await this.entries();
    const asked = { entries, given, listed, paths: this.#paths, ...(push && { push }) };
    const words = answerQuestions(computer.decisions, answererOf(this.#truth, asked));
    this.story.words.push(...words.map((each) => `    asked: ${this.#plain(each)}`));
    return words.length;
  }

  /** The person looks at each entry that is to be checked, and removes the wrong ones. */
  async #checked(listed: readonly AppChange[], files: readonly BankFile[]): Promise<AppChange[]> {
    const entries = await this.entries();
    const isWrong = judgeOf(this.#truth, { listed, entries, files, rules: this.rules });
    return listed.flatMap((each): AppChange[] => {
      if (each.action !== 'check') return [each];
      const wrong = isWrong(each.id);
      this.story.words.push(`    list: ${this.#plain(each.text)} ${wrong ? 'removed' : 'it is right'}`);
      return wrong ? [{ ...each, action: 'remove' }] : [];
    });
  }

  #pushArgs({ files, rules }: Push, { decisions }: Computer, report: string, label?: string): string[] {
    const common = argumentsOf(files, rules, this.#folder, label);
    // The label of one command is the name of the account in all later ones.
    if (label === undefined) common.push(...accountArguments(files, this.#named));
    else this.#nameAccounts(files);
    return ['push', ...common, '--decide', decisions, '--yes', '--report', report];
  }

  async #run(computer: Computer, args: string[]): Promise<CommandResult> {
    const result = await this.user.run(args, { env: { ...computer.env, ...(await this.#key()) } });
    this.story.words.push(`ledger ${this.#short(args)} -> ${result.exitCode}`);
    if (!isStored(result.exitCode)) this.story.words.push(...reasonsOf(result).map(this.#plain));
    return result;
  }

  // Each command has a minute of its own.
  async #key(): Promise<{ LEDGER_API_KEY: string }> {
    const { key = '' } = await admin.createKey({ accountId: this.user.account.accountId });
    return { LEDGER_API_KEY: key };
  }

  #path = (name: string, extension: string) => join(this.#folder, `${name}-${++this.#files}.${extension}`);
  #plain = (text: string) => text.replaceAll(/\/\S*\/(?=[\w-]+\.(?:csv|txt|qif|ofx|xml)\b)/g, '');
  #short = (args: string[]) => this.#plain(args.join(' '));
}
