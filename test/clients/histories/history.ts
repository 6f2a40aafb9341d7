/** One history from a seed: the bank exports and changes, the person acts, and the books are compared with the truth after each act. */
import { type Random, random } from '../../faults/random.ts';
import type { Entry, Versions } from './attribution.ts';
import { Bank, type BankFile } from './bank.ts';
import { FORMAT_NAMES, FORMATS, type Format } from './formats.ts';
import { differences, lostUntold, storedTwice } from './oracle.ts';
import { Person } from './person.ts';
import { changedRules, oneHouse, type Rules, rulesOf, without } from './rules.ts';
import type { Push, Violation, ViolationKind } from './story.ts';
import { type AppChange, isChangeOfAllFields } from './surface.ts';
import { isWithinDay, WINDOW_KINDS, type Window, type WindowKind, windowsOf } from './windows.ts';
import { isSplittable, type Payment, type World, worldOf } from './world.ts';

interface History {
  seed: number;
  /** Without the exempt ones. */
  violations: Violation[];
  exempt: Violation[];
  /** It ended without a proof, and with an empty list of corrections. No violation: the command says so. */
  isOpen: boolean;
  /** What happened, one line each. */
  words: string[];
}

const LISTS_MAX = 3;

/** Pushing a file as it is, and beside it something that people do. */
const ACTS = [
  ...(['push', 'push', 'push', 'push', 'twice', 'half', 'property', 'property'] as const),
  ...(['at once', 'kill', 'label'] as const),
];

export async function runHistory(seed: number): Promise<History> {
  const world = worldOf(seed);
  const chance = random(`acts ${seed}`);
  const bank = new Bank(world, chance.chance(0.2) ? 'begin again' : 'kept');
  const rules = chance.pick([rulesOf(false), rulesOf(true), rulesOf(false), oneHouse('House A')]);
  const person = await Person.create(bank, rules);
  const run = new Run(world, bank, person, chance);
  await run.all();
  const found = [...run.violations.values()];
  return {
    seed,
    violations: found.filter(({ exemption }) => exemption === undefined),
    exempt: found.filter(({ exemption }) => exemption !== undefined),
    isOpen: run.isOpen,
    words: person.story.words,
  };
}

class Run {
  /** By their texts: a violation that stays is told once. */
  readonly violations = new Map<string, Violation>();
  /** The last proof failed, with an empty list: the command tells of a fault, and of no remedy. */
  isOpen = false;
  readonly #formats: Format[];
  readonly #kind: WindowKind;
  /** All exports, in their order. */
  readonly #files: BankFile[] = [];
  /** Exports that wait for a command that takes several. */
  #waiting: BankFile[] = [];

  constructor(
    readonly world: World,
    readonly bank: Bank,
    readonly person: Person,
    readonly chance: Random,
  ) {
    const isReused = bank.ids === 'begin again';
    const names = isReused ? FORMAT_NAMES.filter((name) => FORMATS[name].hasIds) : FORMAT_NAMES;
    this.#kind = chance.pick(WINDOW_KINDS);
    // Only a balance tells equal payments of a day apart.
    const isCut = isWithinDay(this.#kind);
    const withBalances = names.filter((name) => FORMATS[name].hasBalances && !FORMATS[name].hasIds);
    const choice = isCut && !isReused && chance.chance(0.7) ? withBalances : names;
    this.#formats = Array.from({ length: world.accounts }, () => chance.pick(choice));
  }

  async all(): Promise<void> {
    const windows = windowsOf(this.#kind, this.chance, this.bank);
    for (const [step, window] of windows.entries()) {
      if (step > 0) this.#bankChanges(windows[step - 1]?.to ?? window.from);
      for (let account = 0; account < this.world.accounts; account++) {
        const file = this.#export(step, account, window);
        if (file.rows.length === 0) continue;
        this.#files.push(file);
        const isLast = step === windows.length - 1 && account === this.world.accounts - 1;
        await this.#act(file, step, isLast);
      }
    }
    await this.#prove();
  }

  #bankChanges(near: string): void {
    const changes = this.bank.change(this.chance, near, this.chance.int(0, 3));
    if (this.chance.chance(0.2)) {
      this.bank.giveNewIds();
      this.person.story.words.push('(the bank gives new ids)');
    }
    for (const { payment, kind, before, after } of changes) {
      this.person.versions.noteChange(payment, after);
      const words = ({ date, pence, description }: typeof before) => `${date} ${pence / 100} ${description}`;
      this.person.story.words.push(
        `(the bank: ${kind}: ${words(before)}${after ? ` -> ${words(after)}` : ''})`,
      );
    }
  }

  #export(step: number, account: number, window: Window): BankFile {
    const { from, to, lastLines, skippedLines } = window;
    const all = this.bank.linesOf(account).filter(({ line }) => line.date >= from && line.date <= to);
    const ofDay = (day: string) => all.filter(({ line }) => line.date === day);
    const left =
      account > 0
        ? []
        : [...ofDay(to).slice(lastLines ?? all.length), ...ofDay(from).slice(0, skippedLines ?? 0)];
    const own = this.#formats[account] ?? 'plain';
    const isOther = step > 0 && this.chance.chance(0.2) && this.bank.ids === 'kept';
    const format = isOther ? this.chance.pick(FORMAT_NAMES) : own;
    const lines = all.filter((line) => !left.includes(line));
    const order = { isReversed: this.chance.chance(0.3), isWhole: left.length === 0 };
    const options = { format, account, from, to, ...order };
    return this.bank.file(`export-${step + 1}${account > 0 ? '-b' : ''}`, lines, options);
  }

  async #act(file: BankFile, step: number, isLast: boolean): Promise<void> {
    const { chance, person } = this;
    const files = [...this.#waiting, file];
    if (!isLast && chance.chance(0.2)) {
      this.#waiting = files;
      return;
    }
    this.#waiting = [];
    if (files.length > 1) {
      if (chance.chance(0.15)) return this.#check(await person.pushAtOnce(files.slice(0, 1), files.slice(1)));
      return this.#check(await person.push(files));
    }
    if (step > 0 && chance.chance(0.12)) await this.#changeRules();
    const act = chance.pick(ACTS);
    if (act === 'half') await this.#check(await person.push([this.#half(file, step)]));
    if (act === 'kill') await person.pushAndKill(file);
    if (act === 'at once') await this.#check(await person.pushAtOnce([file], [file]));
    const label =
      act === 'label' && !FORMATS[file.format].isNamed ? { label: `account ${file.account}` } : {};
    await this.#check(await person.push([file], label));
    if (act === 'twice') await this.#check(await person.push([file]));
    if (act === 'property') {
      const rules = oneHouse(chance.pick(['House B', 'House C']));
      await this.#check(await person.push([file], { rules, isOtherComputer: true, isOtherProperty: true }));
    }
  }

  /** The first rows of a file, as an export that was made earlier. */
  #half({ account, format, rows }: BankFile, step: number): BankFile {
    const half = rows.slice(0, this.chance.int(1, rows.length));
    const lines = this.bank.linesOf(account);
    const begun = lines.filter(({ payment }) => half.some((row) => row.payment === payment));
    const [from = '', to = ''] = [half[0]?.version.date, half.at(-1)?.version.date];
    const isWhole = half.length === rows.length;
    return this.bank.file(`half-${step + 1}${account > 0 ? '-b' : ''}`, begun, {
      format,
      account,
      from,
      to,
      isWhole,
      isReversed: false,
    });
  }

  async #changeRules(): Promise<void> {
    const { person, chance } = this;
    const isRemoved = chance.chance(0.5);
    const removed = chance.pick(['House B', 'House C'] as const);
    if (isRemoved) await person.removeHouse(removed);
    const next: Rules = chance.chance(0.5) ? changedRules() : person.rules;
    person.rules = isRemoved && next.rules.length > 0 ? without(next, removed) : next;
    person.story.words.push(`(the rules are now ${person.rules.name})`);
  }

  async #check(push: Push): Promise<void> {
    const entries = await this.person.entries();
    const { story, versions } = this.person;
    this.#add(storedTwice(entries, story, versions));
    this.#add(lostUntold(entries, push, story, versions));
  }

  /** Proves the last exports, applies lists until one is empty, and proves again. */
  async #prove(): Promise<void> {
    const { person, chance } = this;
    let files = this.#files.slice(chance.chance(0.25) ? -2 : -1);
    if (files.length === 0) return;
    const compare = (kind: ViolationKind, entries: readonly Entry[]) =>
      differences(kind, entries, files, person.rules, person.story, person.versions);
    // Before the first list: a proof that fails has told of these.
    const told = new Set(compare('wrong after the list', await person.entries()).map(subjectOf));
    for (let lists = 0; ; lists++) {
      const { isProved, appChanges } = await person.prove(files);
      const entries = await person.entries();
      if (appChanges.length === 0) {
        if (isProved) this.#add(compare('proved and wrong', entries));
        else this.#end(compare('wrong after the list', entries), told, lists);
        return;
      }
      this.#add(changesOfAllFields(appChanges, entries, person.versions));
      if (lists === LISTS_MAX) {
        const text = `The list is not empty after ${LISTS_MAX} lists: ${appChanges[0]?.text}`;
        this.#add([{ kind: 'wrong after the list', circumstance: 'the list does not end', text }]);
        return;
      }
      await person.correct(appChanges);
      // Two files that contradict each other cannot both be proved. The later one is right.
      if (appChanges.some(({ text }) => text.includes('Reconcile the right file alone')))
        files = files.slice(-1);
      await this.#check(await person.push(files));
    }
  }

  /** No proof, and no list any more: a list may have made what was right wrong. */
  #end(found: readonly Violation[], told: ReadonlySet<string>, lists: number): void {
    this.isOpen = true;
    this.person.story.words.push('(not proved, and nothing to correct)');
    if (lists > 0) this.#add(found.filter((each) => !told.has(subjectOf(each))));
  }

  #add(found: readonly Violation[]): void {
    for (const each of found) {
      const key = `${each.kind} ${each.text}`;
      if (this.violations.has(key)) continue;
      this.violations.set(key, each);
      const exempt = each.exemption === undefined ? '' : ` (exempt: ${each.exemption})`;
      this.person.story.words.push(`*** ${each.kind}, ${each.circumstance}: ${each.text}${exempt}`);
    }
  }
}

/** The row or the entry that a difference is about, without what is wrong with it. */
const subjectOf = ({ text }: Violation) => text.split(': ')[0] ?? text;

function changesOfAllFields(
  appChanges: readonly AppChange[],
  entries: readonly Entry[],
  versions: Versions,
): Violation[] {
  return appChanges.flatMap((appChange) => {
    const entry = entries.find(({ id }) => id === appChange.id);
    if (!entry || !isChangeOfAllFields(appChange, entry)) return [];
    // A part of the same payment, as the bank shows it now.
    const { date = '', pence = 0, description = '' } = appChange;
    const next = { ...entry, date, description, pence: Math.sign(entry.pence) * pence };
    const isSame = (payment: Payment) =>
      versions.canBe(entry, payment) && versions.looksLike(next, payment) && isSplittable(payment.kind);
    if (versions.payments.some(isSame)) return [];
    return [{ kind: 'wrong after the list', circumstance: 'all fields change', text: appChange.text }];
  });
}
