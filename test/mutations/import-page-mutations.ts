/** Mutations of the import page, which writes the same records as the service. */
import type { Mutation } from './mutations.ts';

const PAGE = 'clients/web/import';
const IMPORTER_TEST = 'test/clients/web/importer.test.ts';
const ROWS_TEST = 'test/clients/web/rows.test.ts';
const COLUMNS_TEST = 'test/clients/web/column-names.test.ts';

export const IMPORT_PAGE_MUTATIONS: Mutation[] = [
  {
    name: 'the page does not compare the days after those that it has compared',
    breaks: [],
    file: `${PAGE}/importer.ts`,
    edits: [['part.to !== undefined && all.to >= part.to', 'true']],
    tests: [IMPORTER_TEST],
  },
  {
    name: 'the page does not compare the days before those that it has compared',
    breaks: [],
    file: `${PAGE}/importer.ts`,
    edits: [['part.from !== undefined && all.from <= part.from', 'true']],
    tests: [IMPORTER_TEST],
  },
  {
    name: 'the page shows the result of an older read that ends last',
    breaks: [],
    file: `${PAGE}/importer.ts`,
    edits: [['    if (ticket !== reads) return;\n', '']],
    tests: [IMPORTER_TEST],
  },
  {
    name: 'the page keeps the columns of another bank',
    breaks: [],
    file: `${PAGE}/state.ts`,
    edits: [["if (isOtherTable || 'bank' in change)", 'if (isOtherTable)']],
    tests: [ROWS_TEST],
  },
  {
    name: 'the page keeps the edits of another file',
    breaks: [],
    file: `${PAGE}/state.ts`,
    edits: [['    file,\n    reading: {},\n    corrections: new Map(),', '    file,\n    reading: {},']],
    tests: [ROWS_TEST],
  },
  {
    name: 'the page keeps the categories of another source',
    breaks: [],
    file: `${PAGE}/state.ts`,
    edits: [['...(!isSameType && {', '...(false && {']],
    tests: [IMPORTER_TEST],
  },
  {
    name: 'the page pushes before it has compared the file with the books',
    breaks: ['I2'],
    file: `${PAGE}/state.ts`,
    edits: [
      ['|| problem || isBusy || !comparison) return false;', '|| problem || isBusy) return false;'],
      ['!comparison.wrongSource', '!comparison?.wrongSource'],
    ],
    tests: [ROWS_TEST],
  },
  {
    name: 'the page pushes to what seems the wrong source without a question',
    breaks: [],
    file: `${PAGE}/state.ts`,
    edits: [['return !comparison.wrongSource || isSourceConfirmed;', 'return true;']],
    tests: [ROWS_TEST],
  },
  {
    name: 'the page keeps the confirmation of a source for another source',
    breaks: [],
    file: `${PAGE}/state.ts`,
    edits: [['    source,\n    isSourceConfirmed: false,', '    source,']],
    tests: [IMPORTER_TEST],
  },
  {
    name: 'the page reports what another source has as sent',
    breaks: [],
    file: `${PAGE}/send/report.ts`,
    edits: [['[...skipped, ...elsewhere]', '[...skipped]']],
    tests: [IMPORTER_TEST],
  },
  {
    name: 'the page changes selected rows that are not shown',
    breaks: [],
    file: `${PAGE}/check/rows-section.tsx`,
    edits: [
      [
        'shown.filter(({ row }) => selection.rows.has(row))',
        'rows.filter(({ row }) => selection.rows.has(row))',
      ],
      ['    setSelection(NOTHING_SELECTED);\n', ''],
    ],
    tests: ['test/clients/web/selecting.slow.test.ts'],
    only: 'one search and two clicks',
  },
  {
    name: 'the page compares with the books as they were before a push',
    breaks: [],
    file: `${PAGE}/importer.ts`,
    edits: [['      set({ books: NO_BOOKS });\n', '']],
    tests: [IMPORTER_TEST],
    only: 'paused',
  },
  {
    name: 'undo on the page takes nothing back',
    breaks: [],
    file: `${PAGE}/importer.ts`,
    edits: [
      [
        'set({ corrections, history: history.slice(0, -1) });',
        'set({ corrections: get().corrections, history: history.slice(0, -1) });',
      ],
    ],
    tests: [IMPORTER_TEST],
  },
  {
    name: 'the page sends all entries again after a pause',
    breaks: [],
    file: `${PAGE}/sending.ts`,
    edits: [['state.entries.slice(done.length)', 'state.entries.slice()']],
    tests: ['test/clients/web/send.slow.test.ts'],
    only: 'it pauses',
  },
  {
    name: 'the page does not ask for a column that may hold money',
    breaks: [],
    file: `${PAGE}/file/column-names.ts`,
    edits: [['problem?.unsettled?.includes(index) === true', 'false']],
    tests: [COLUMNS_TEST],
  },
  {
    name: 'a column that is given another use on the page keeps the one that it had',
    breaks: [],
    file: `${PAGE}/file/column-names.ts`,
    edits: [["isField(before) ? { ...map, [before]: '' } : map;", 'map;']],
    tests: [COLUMNS_TEST],
  },
  {
    name: 'the page asks again for a column that another choice has replaced',
    breaks: [],
    file: `${PAGE}/file/column-names.ts`,
    edits: [
      ['[...ignore.filter((name) => name !== own), ...replaced]', 'ignore.filter((name) => name !== own)'],
    ],
    tests: [COLUMNS_TEST],
  },
  {
    name: 'the Books tab lists the entries of several sources one source after the other',
    breaks: [],
    file: 'clients/web/books/merge.ts',
    edits: [['(!newest?.entry || isNewer(head.entry, newest.entry))', '!newest?.entry']],
    tests: ['test/clients/web/books.test.ts'],
  },
  {
    name: 'the Books tab reads without a bound',
    breaks: [],
    file: 'clients/web/books/reading.ts',
    edits: [['      if (entries.length === entriesMax) return false;\n', '']],
    tests: ['test/clients/web/books.test.ts'],
  },
  {
    name: 'a file of the Books tab for one property has the entries of all',
    breaks: ['I2'],
    file: 'clients/web/books/download.tsx',
    edits: [['entries.filter((entry) => entry.source.id === source.id)', 'entries.slice()']],
    tests: ['test/clients/web/books.slow.test.ts'],
    only: 'is one for each property',
  },
  {
    name: 'the page stores the key',
    breaks: ['I7'],
    file: 'clients/web/key/session.ts',
    edits: [
      [
        '  let ledger: Ledger;\n',
        "  globalThis.sessionStorage?.setItem('key', apiKey);\n  let ledger: Ledger;\n",
      ],
    ],
    tests: ['test/clients/web/key.slow.test.ts'],
    only: 'no storage',
  },
];
