/** Mutations of the reader of files: references, dates, amounts, encodings, and the bounds of hostile files. */
import type { Mutation } from './mutations.ts';

const IMPORT = 'clients/typescript/import';
const BOUNDS_TEST = 'test/clients/typescript/import/bounds.test.ts';
const COST_TEST = 'test/clients/typescript/import/file-cost.slow.test.ts';
const DATES_TEST = 'test/clients/typescript/import/dates.test.ts';
const AMOUNTS_TEST = 'test/clients/typescript/import/amounts.test.ts';
const FORMATS_TEST = 'test/clients/typescript/import/formats.test.ts';
const REFERENCES_TEST = 'test/clients/typescript/import/references.test.ts';
const LANDLORDS_TEST = 'test/clients/typescript/import/records-of-landlords.test.ts';
const SETTLED_TEST = 'test/clients/typescript/import/settled-columns.test.ts';
const CORRECTIONS_TEST = 'test/clients/typescript/import/corrections.test.ts';

export const READER_MUTATIONS: Mutation[] = [
  {
    name: 'the reader gives equal rows of one day one reference',
    breaks: ['I1', 'I5'],
    file: `${IMPORT}/values/reference.ts`,
    edits: [['(occurrences.get(canonical) ?? 0) + 1', '1']],
    tests: [REFERENCES_TEST],
  },
  {
    name: 'the reader leaves the account out of derived references',
    breaks: ['I1'],
    file: `${IMPORT}/values/reference.ts`,
    edits: [['      normaliseForReference(account),', "      '',"]],
    tests: [REFERENCES_TEST],
  },
  {
    name: 'the reader leaves the account out of references of OFX',
    breaks: ['I1'],
    file: `${IMPORT}/drafts/ofx.ts`,
    edits: [["account.get('ACCTID') ?? '';", "'';"]],
    tests: [FORMATS_TEST],
  },
  {
    name: 'the reader keeps the currency of the account before',
    breaks: ['I8'],
    file: `${IMPORT}/drafts/ofx.ts`,
    edits: [["      account = new Map();\n      currency = '';", '      account = new Map();']],
    tests: [FORMATS_TEST],
  },
  {
    name: 'the reader derives a reference from the corrected row',
    breaks: ['I5'],
    file: `${IMPORT}/entries/entries.ts`,
    edits: [['let externalRef = reference;', 'let externalRef = correction ? undefined : reference;']],
    tests: [CORRECTIONS_TEST],
  },
  {
    name: 'the reader does not count a row that is left out',
    breaks: ['I5'],
    file: `${IMPORT}/entries/entries.ts`,
    edits: [
      [
        'isRead(draft) ? referenceOf(draft) : undefined',
        'isRead(draft) && !isLeftOut ? referenceOf(draft) : undefined',
      ],
    ],
    tests: [CORRECTIONS_TEST],
  },
  {
    name: 'the reader skips a row whose reference another row has with other content',
    breaks: ['I1'],
    file: `${IMPORT}/entries/entries.ts`,
    edits: [['return isSameContent(earlier.entry, entry)\n', 'return earlier\n']],
    tests: [REFERENCES_TEST],
  },
  {
    name: 'the reader takes a date that is no day for one that settles the order of day and month',
    breaks: [],
    file: `${IMPORT}/values/dates.ts`,
    edits: [[' || (first > 12 && second > 12)', '']],
    tests: [DATES_TEST],
  },
  {
    name: 'the reader guesses the order of day and month',
    breaks: [],
    file: `${IMPORT}/values/dates.ts`,
    edits: [['    else undecided ??= date;', '']],
    tests: [DATES_TEST],
  },
  {
    name: 'the reader takes thousands with a decimal comma for decimals',
    breaks: [],
    file: `${IMPORT}/values/amounts.ts`,
    edits: [['if (fraction.length > 2) return', 'if (fraction.length > 3) return']],
    tests: [AMOUNTS_TEST],
  },
  {
    name: 'the reader takes thousands in groups of any length',
    breaks: [],
    file: `${IMPORT}/values/amounts.ts`,
    edits: [['groups.slice(1).every((group) => group.length === 3)', 'true']],
    tests: [AMOUNTS_TEST],
  },
  {
    name: 'the reader does not know UTF-16 without a byte order mark',
    breaks: [],
    file: `${IMPORT}/files/encoding.ts`,
    edits: [[' ?? byteOrderOf(bytes)', '']],
    tests: [FORMATS_TEST],
  },
  {
    name: 'the reader takes Windows-1252 for Latin-1',
    breaks: [],
    file: `${IMPORT}/files/encoding.ts`,
    edits: [["(WINDOWS_1252[byte - 0x80] ?? '')", 'String.fromCharCode(byte)']],
    tests: [FORMATS_TEST],
  },
  {
    name: 'the reader takes the last rule that matches',
    breaks: [],
    file: `${IMPORT}/entries/category-choice.ts`,
    edits: [['rules.find(', 'rules.findLast(']],
    tests: ['test/clients/typescript/import/categories.test.ts'],
  },
  {
    name: 'the reader passes an unterminated cell on with all rows after it',
    breaks: ['I1'],
    file: `${IMPORT}/files/csv.ts`,
    edits: [['if (isUnterminated && preview === undefined) {', 'if (isUnterminated && preview === 0) {']],
    tests: ['test/clients/typescript/import/csv.test.ts'],
  },
  {
    name: 'the reader makes any number of rows',
    breaks: ['I8'],
    file: `${IMPORT}/files/bounds.ts`,
    edits: [['if (count > ROWS_MAX) {', 'if (false) {']],
    tests: [BOUNDS_TEST],
    only: '100,000 rows',
  },
  {
    name: 'the reader makes all cells that a workbook asks for',
    breaks: ['I8'],
    file: `${IMPORT}/files/xlsx.ts`,
    edits: [['  requireUsualWorkbook(files);\n', '']],
    tests: [BOUNDS_TEST],
    only: 'XLSX:',
  },
  {
    name: 'the reader looks only at the attributes of a workbook that have no prefix',
    breaks: ['I8'],
    file: `${IMPORT}/files/workbook-bounds.ts`,
    edits: [['.filter((key) => withoutPrefix(key) === wanted)', '.filter((key) => key === wanted)']],
    tests: [BOUNDS_TEST],
    only: 'however it is written',
  },
  {
    name: 'the reader unpacks a workbook however large it becomes',
    breaks: ['I8'],
    file: `${IMPORT}/files/unzip.ts`,
    edits: [
      ['at < data.length && size <= bytesMax;', 'at < data.length;'],
      ['  if (size > bytesMax) return undefined;\n', ''],
      ['if (!content || left < 0) return undefined;', 'if (!content) return undefined;'],
    ],
    tests: [BOUNDS_TEST],
    only: 'unpacks to more',
  },
  {
    name: 'the reader compares and hashes texts of any length and with any marks',
    breaks: ['I8'],
    file: `${IMPORT}/files/bounds.ts`,
    edits: [['if (text.length <= MARKS_MAX ||', 'if (true ||']],
    tests: [BOUNDS_TEST],
    only: 'accents',
  },
  {
    name: 'the reader looks for the end of a tag from each of its letters',
    breaks: ['I8'],
    file: `${IMPORT}/drafts/ofx.ts`,
    edits: [['{1,32}/.exec(part)', '+(?=[^<>]*>)/.exec(part)']],
    tests: [COST_TEST],
    only: 'ofx:',
  },
  {
    name: 'the reader looks for spaces from each of them, in rules of any length',
    breaks: ['I8'],
    file: `${IMPORT}/entries/rules.ts`,
    edits: [
      ['if (content.length > RULE_LENGTH_MAX)', 'if (false)'],
      ['.replace(/\\s#.*$/', '.replace(/\\s+#.*$/'],
    ],
    tests: [BOUNDS_TEST],
    only: 'rules:',
  },
  {
    name: 'the reader reads a file beside a column that nobody has settled',
    breaks: [],
    file: `${IMPORT}/columns/settled.ts`,
    edits: [["if (amounts.length > 0) return { doubt: 'amounts', values: amounts };", '']],
    tests: [SETTLED_TEST],
  },
  {
    name: 'amounts without a sign beside several types are income',
    breaks: [],
    file: `${IMPORT}/columns/unsigned-amounts.ts`,
    edits: [['if (types.size > 1)', 'if (types.size > 9)']],
    tests: [LANDLORDS_TEST],
  },
  {
    name: 'the reader takes the amounts of a list of expenses for income',
    breaks: [],
    file: `${IMPORT}/columns/unsigned-amounts.ts`,
    edits: [['if (name !== undefined) return cleanText(name);', '']],
    tests: [LANDLORDS_TEST],
  },
  {
    name: 'the reader takes an opening balance for income',
    breaks: [],
    file: `${IMPORT}/drafts/table.ts`,
    edits: [['BALANCE.test(cell(index))', 'false']],
    tests: [LANDLORDS_TEST],
  },
  {
    name: 'the reader takes a dated total for income',
    breaks: [],
    file: `${IMPORT}/drafts/table.ts`,
    edits: [['isOwnTable(layout) && TOTAL.test(', 'false && TOTAL.test(']],
    tests: [LANDLORDS_TEST],
  },
  {
    name: 'the reader takes a rent that was not paid for income',
    breaks: [],
    file: `${IMPORT}/drafts/table.ts`,
    edits: [['isOwnTable(layout) ? unpaidColumn(cells, header) : -1', '-1']],
    tests: [LANDLORDS_TEST],
  },
  {
    name: 'the reader takes running numbers for money',
    breaks: [],
    file: `${IMPORT}/columns/settled.ts`,
    edits: [['isRunningNumber(amounts) || ', '']],
    tests: [SETTLED_TEST],
  },
  {
    name: 'the reader chooses one of two dates',
    breaks: [],
    file: `${IMPORT}/columns/settled.ts`,
    edits: [['if (!isDateChosen && (', 'if (false && (']],
    tests: [SETTLED_TEST],
  },
  {
    name: 'the reader takes a receipt for money in',
    breaks: [],
    file: `${IMPORT}/columns/usual-columns.ts`,
    edits: [["'moneyin paidin credit", "'receipt moneyin paidin credit"]],
    tests: [SETTLED_TEST],
  },
  {
    name: 'the reader derives references with the notes of Monzo',
    breaks: ['I5'],
    file: `${IMPORT}/entries/entries.ts`,
    edits: [['draft.withoutNotes ?? draft.description', 'draft.description']],
    tests: ['test/clients/typescript/import/banks.test.ts'],
  },
  {
    name: 'the reader says nothing of a date that is far ahead',
    breaks: [],
    file: `${IMPORT}/values/unlikely-dates.ts`,
    edits: [['if (!isOld && date <= limit) return [];', 'if (!isOld) return [];']],
    tests: [DATES_TEST],
  },
  {
    name: 'the reader chooses one of several tables of a workbook',
    breaks: [],
    file: `${IMPORT}/files/xlsx.ts`,
    edits: [['if (tables.length < 2) return', 'if (tables.length < 9) return']],
    tests: [FORMATS_TEST],
  },
];
