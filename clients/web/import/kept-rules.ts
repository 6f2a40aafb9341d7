/** The rules that this browser keeps for the next import: rules only, never a key or a row. */

export interface KeptRules {
  read(): string;
  /** The empty text forgets them. */
  write(rules: string): void;
}

const NAME = 'ledger-import-rules';

/** A browser may allow no storage: then rules last as long as the page. */
export const RULES_OF_BROWSER: KeptRules = {
  read() {
    try {
      return localStorage.getItem(NAME) ?? '';
    } catch {
      return '';
    }
  },
  write(rules) {
    try {
      if (rules === '') localStorage.removeItem(NAME);
      else localStorage.setItem(NAME, rules);
    } catch {
      // Nothing is kept.
    }
  },
};
