/** The actions of a visitor on files: their settings, the rules and the rates. */
import { withoutKeptAnswers } from '../../typescript/import/rules/kept-answers.ts';
import { withAddedFiles, withSheet } from './added-files.ts';
import { isOfColumns, isOfTable, NO_ANSWERS, withParseOptions } from './changes.ts';
import { chosenKind, closingsOfRules, rulesKeeping } from './kept-lines.ts';
import type { Preferences } from './preferences.ts';
import type { OtherSheet } from './sheets.ts';
import type { Categorising, Facts, GivenFile, ParseOptions } from './state.ts';
import type { Store } from './store.ts';

/** The parts that the actions on files and on rows work with. */
export interface Editing extends Store {
  /** Reads the files whose settings or corrections have changed. */
  read: () => Promise<void>;
  preferences: Preferences | undefined;
}

export type FileActions = ReturnType<typeof fileActions>;

/** Creates the actions on files. */
export function fileActions({ get, set, read, preferences }: Editing) {
  const readAfter = (change: Partial<Facts>): Promise<void> => {
    set(change);
    return read();
  };
  const openFile = (file: GivenFile) => get().files.find((each) => each.file === file);
  const changeFile = (file: GivenFile, change: ParseOptions) =>
    set({
      files: get().files.map((each) => (each.file === file ? withParseOptions(each, change) : each)),
    });
  const setCategorising = async (change: Partial<Categorising>): Promise<void> => {
    if (change.rules !== undefined) preferences?.keepRules(change.rules);
    const closings = change.rules === undefined ? {} : { closings: closingsOfRules(change.rules) };
    await readAfter({ categorising: { ...get().categorising, ...change }, ...closings });
  };
  return {
    /** Adds files. One with the content of a file that is open is not opened twice: a workbook's next sheet is. */
    addFiles: (added: readonly GivenFile[]) => readAfter({ files: withAddedFiles(get().files, added) }),
    /** A sheet of an open workbook, as a file of its own. */
    addSheet: (sheet: OtherSheet) => readAfter({ files: withSheet(get().files, sheet) }),
    // The corrections of the files that are left would be taken back in others.
    removeFile: (file: GivenFile) =>
      readAfter({ files: get().files.filter((each) => each.file !== file), history: [] }),
    async setParseOptions(file: GivenFile, change: ParseOptions): Promise<void> {
      const named = 'accountLabel' in change ? openFile(file) : undefined;
      changeFile(file, change);
      if (isOfTable(change)) set({ history: [] });
      await read();
      const { files, categorising } = get();
      if (!openFile(file) || !(isOfColumns(change) || named)) return;
      const rules = rulesKeeping(files, categorising.rules, named && chosenKind(named));
      if (rules !== categorising.rules) await setCategorising({ rules });
    },
    /** The reader finds out the use of the columns. The browser no longer keeps it. */
    async forgetColumns(file: GivenFile): Promise<void> {
      const { kind } = openFile(file)?.read?.original.recognised ?? {};
      changeFile(file, NO_ANSWERS);
      if (kind) await setCategorising({ rules: withoutKeptAnswers(get().categorising.rules, kind) });
    },
    setCategorising,
    /** @param rates undefined: amounts in other currencies are refused */
    setRates: (rates: GivenFile | undefined) => readAfter({ rates }),
  };
}
