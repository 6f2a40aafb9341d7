/** What this browser keeps for the next import: rules, and how the columns of files are used. Never a key or a row. */
import { hashOf } from '../../typescript/proof/hash.ts';
import type { Reading } from './state.ts';

/** Which column is which, and which are not used, as chosen for files with one header. */
export type ColumnChoices = Pick<Reading, 'map' | 'ignore'>;

export interface Kept {
  rules(): string;
  /** The empty text forgets them. */
  keepRules(rules: string): void;
  columns(header: readonly string[]): ColumnChoices | undefined;
  /** @param choices undefined: forgets them */
  keepColumns(header: readonly string[], choices: ColumnChoices | undefined): void;
}

const RULES = 'ledger-import-rules';
/** Headers are kept as hashes: what looks like a header may be a row. */
const columnsOf = (header: readonly string[]) =>
  `ledger-import-columns ${hashOf(new TextEncoder().encode(JSON.stringify(header)))}`;

/** @param storage a browser may allow none: then what is kept lasts as long as the page */
export function keptIn(storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>): Kept {
  const read = (name: string): string | null => {
    try {
      return storage().getItem(name);
    } catch {
      return null;
    }
  };
  const write = (name: string, text: string | undefined) => {
    try {
      if (text) storage().setItem(name, text);
      else storage().removeItem(name);
    } catch {
      // Nothing is kept.
    }
  };
  return {
    rules: () => read(RULES) ?? '',
    keepRules: (rules) => write(RULES, rules),
    columns(header) {
      try {
        return JSON.parse(read(columnsOf(header)) ?? 'null') ?? undefined;
      } catch {
        return undefined;
      }
    },
    keepColumns: (header, choices) => write(columnsOf(header), choices && JSON.stringify(choices)),
  };
}
