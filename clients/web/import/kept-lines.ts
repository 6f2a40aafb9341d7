/**
 * The lines of the rules that this browser keeps for the account: closing balances, and the answers about columns by the bank account, the header
 * and the format of a file. Rules with a problem of their own, which the reader reports, have none.
 */
import { checksOfWholeFiles } from '../../typescript/balances/balances.ts';
import type { Closings } from '../../typescript/import/chain/closings.ts';
import { ImportError } from '../../typescript/import/import-error.ts';
import { answersToKeep } from '../../typescript/import/kept/to-keep.ts';
import type { KindOfFile } from '../../typescript/import/options.ts';
import { hasAnswers } from '../../typescript/import/rules/answers-text.ts';
import {
  isSameKind,
  withKeptAnswers,
  withoutKeptAnswers,
} from '../../typescript/import/rules/kept-answers.ts';
import { keptClosings, withKeptClosings } from '../../typescript/import/rules/kept-closings.ts';
import { answersOfUses } from './column-uses.ts';
import type { FileFacts, FileState } from './state.ts';

/** The closing balances that the rules keep. */
export const closingsOfRules = (rules: string): Closings =>
  unlessInvalid(() => keptClosings(rules)) ?? new Map();

/** The rules with the closing balances of these files. */
export const rulesWithClosings = (
  rules: string,
  files: readonly Pick<FileState, 'balances' | 'result'>[],
): string => {
  const balances = files.map((file) => file.balances);
  return unlessInvalid(() => withKeptClosings(rules, checksOfWholeFiles(files, balances).flat())) ?? rules;
};

/** The result of a read of rules. Undefined for rules with a problem. */
export function unlessInvalid<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof ImportError) return undefined;
    throw error;
  }
}

/** The kind of a file whose columns a person has chosen. Undefined if nobody has, or if the file cannot be read. */
export function chosenKind({ read, problem, parseOptions }: FileFacts): KindOfFile | undefined {
  const { uses, values, unit } = parseOptions;
  const isChosen = hasAnswers({ ...answersOfUses(uses), values, unit });
  return problem || !isChosen ? undefined : read?.original.recognised.kind;
}

/**
 * The rules with the answers for the open files. Files of one kind with different answers need the names of their accounts: the rules have none.
 * @param before the kind that a file had before its account got another name
 */
export function rulesKeeping(
  files: readonly FileFacts[],
  rules: string,
  before: KindOfFile | undefined,
): string {
  const chosen = files.flatMap((each) => {
    const kind = chosenKind(each);
    return kind && each.read ? [{ kind, result: each.read.original }] : [];
  });
  const keeping = () =>
    chosen.reduce(
      (text, { kind }) => {
        const same = chosen.filter((each) => isSameKind(each.kind, kind));
        return answersToKeep(same).length === 1
          ? answersToKeep(same, text).reduce(withKeptAnswers, text)
          : withoutKeptAnswers(text, kind);
      },
      before ? withoutKeptAnswers(rules, before) : rules,
    );
  return unlessInvalid(keeping) ?? rules;
}
