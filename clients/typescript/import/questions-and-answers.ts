/** Open questions about a file, and the answers of a person: about its columns and about single rows. */

export const FIELDS = [
  'date',
  'amount',
  'moneyIn',
  'moneyOut',
  'description',
  'category',
  'type',
  'reference',
  'source',
  'balance',
  'spent',
  'unsigned',
  'check',
] as const;
/**
 * `amount`: a minus is money out. `spent`: a minus is money back, and all else is money out, as on a card or a list of costs. `unsigned`:
 * other columns or lines say the direction. `check`: the sum of the other amounts of the row.
 */
export type Field = (typeof FIELDS)[number];

/** The fields of a single column of amounts: each excludes the others, and moneyIn and moneyOut. */
export const SINGLE_AMOUNTS = ['amount', 'spent', 'unsigned'] as const;

/** The meaning of a value: money in or out, no payment to store, or none of these. */
export const MEANINGS = ['in', 'out', 'skip', 'keep'] as const;
export type Meaning = (typeof MEANINGS)[number];

export const UNITS = ['pounds', 'pence'] as const;

/** Columns that add up to one entry of the row. */
export interface AmountColumns {
  /** The columns by their names, or by their 1-based numbers. */
  columns: readonly string[];
  direction: 'in' | 'out';
  /** The category of the entry: a key or a label. */
  category?: string | undefined;
  /** The source of the entry: its id or its name. */
  source?: string | undefined;
}

/** The answers of a person about the columns of a file. */
export interface ColumnAnswers {
  /** Column names or 1-based column numbers. An empty string leaves the field out. In formats without a header: names of fields. */
  map?: Partial<Record<Field, string>> | undefined;
  /** Columns without money of transactions, which are not read: names, or 1-based numbers. */
  ignore?: readonly string[] | undefined;
  /** The meanings of the texts of a column: by the name of the column, then by the text. */
  values?: Readonly<Record<string, Readonly<Record<string, Meaning>>>> | undefined;
  /** Several amounts of a row, in place of the amount fields of `map`. */
  amounts?: readonly AmountColumns[] | undefined;
  /** Whether the amounts of the file are pounds or pence. */
  unit?: (typeof UNITS)[number] | undefined;
}

/** Corrections of one row, as texts: '31/01/2026', '£1,234.56', 'income', the key or the label of a category. */
export interface RowCorrection {
  date?: string | undefined;
  /** A minus makes it an expense; otherwise the type stays unchanged. */
  amount?: string | undefined;
  type?: string | undefined;
  description?: string | undefined;
  /** The empty text overrides the rules: the entry has no category. */
  category?: string | undefined;
  /** The id or the name of a source. Precedes the file and the rules. */
  source?: string | undefined;
  /** True leaves the row out; false keeps it although a rule leaves it out. */
  isLeftOut?: boolean | undefined;
}
export type CorrectedField = 'date' | 'amount' | 'type' | 'description' | 'category' | 'source';

export type Choice = Meaning | NonNullable<ColumnAnswers['unit']> | Field | 'ignore';

/** A fact that the file leaves open, and its possible answers. */
export interface Question {
  kind: 'direction' | 'amount' | 'amounts' | 'date' | 'values' | 'unit' | 'heading';
  /** 0-based; empty for formats without columns. */
  columns: readonly number[];
  /** The column as options name it. */
  name: string;
  /** The rows that show it. Of `heading`: the line of text. */
  rows: readonly number[];
  /** The kind `values` has the texts without a meaning. */
  values?: readonly string[] | undefined;
  message: string;
  choices: readonly Choice[];
  /** The amounts that add up to the column in each row, if it may be the sum of the row. */
  amounts?: readonly AmountColumns[] | undefined;
  /**
   * Of `amounts`: one for each column. The answer answers all of them. Of a single amount: about the values of columns that may give the
   * direction. An answer to one of them says so too.
   */
  questions?: readonly Question[] | undefined;
}

/** An answer: one of the choices, the meaning of each open value, or the answers to nested questions by the names of their columns. */
export type Answer = Choice | { readonly [name: string]: Choice | Readonly<Record<string, Meaning>> };
