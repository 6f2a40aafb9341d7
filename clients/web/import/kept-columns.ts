/** The choices of columns in the rules, which this browser keeps for the account: by the bank account, the header and the format of a file. */

import { hasChoices } from '../../typescript/import/choices.ts';
import { ImportError } from '../../typescript/import/import-error.ts';
import { choicesToKeep } from '../../typescript/import/kept/to-keep.ts';
import type { KindOfFile } from '../../typescript/import/options.ts';
import {
  isSameKind,
  withKeptChoices,
  withoutKeptChoices,
} from '../../typescript/import/rules/kept-choices.ts';
import { choicesOf } from './column-uses.ts';
import type { OpenFile } from './state.ts';

/** The kind of a file whose columns a person has chosen. Undefined if nobody has, or if the file cannot be read. */
export function chosenKind({ read, problem, parseOptions }: OpenFile): KindOfFile | undefined {
  const { uses, values, unit } = parseOptions;
  const isChosen = hasChoices({ ...choicesOf(uses), values, unit });
  return problem || !isChosen ? undefined : read?.original.recognised.kind;
}

/**
 * The rules with the choices for the open files. Files of one kind with different choices need the names of their accounts: the rules have none.
 * @param before the kind that a file had before its account got another name
 */
export function rulesKeeping(
  files: readonly OpenFile[],
  rules: string,
  before: KindOfFile | undefined,
): string {
  const chosen = files.flatMap((each) => {
    const kind = chosenKind(each);
    return kind && each.read ? [{ kind, statement: each.read.original }] : [];
  });
  try {
    return chosen.reduce(
      (text, { kind }) => {
        const same = chosen.filter((each) => isSameKind(each.kind, kind));
        return choicesToKeep(same).length === 1
          ? choicesToKeep(same, text).reduce(withKeptChoices, text)
          : withoutKeptChoices(text, kind);
      },
      before ? withoutKeptChoices(rules, before) : rules,
    );
  } catch (error) {
    // The rules have a problem of their own, and say it.
    if (error instanceof ImportError) return rules;
    throw error;
  }
}
