/** Mutations of what the clients know of the books: the comparison of a file with them, exports and reports. */
import { inFile } from './command-mutations.ts';
import type { Mutation } from './mutations.ts';

const CLI = 'clients/cli';
const BOOKS = 'clients/typescript/books';
const RECONCILE_TEST = 'test/clients/cli/reconcile.test.ts';
const BOOKS_TEST = 'test/clients/typescript/books/books.test.ts';
const COMPARISON_TEST = 'test/clients/typescript/books/comparison.test.ts';
const SOURCES_TEST = 'test/clients/cli/sources.test.ts';

export const BOOKS_MUTATIONS: Mutation[] = [
  ...inFile(`${BOOKS}/csv.ts`, BOOKS_TEST, [
    ['CSV has no quotes around other separators', 'OTHER_SEPARATORS.test(String(text))', 'false'],
  ]),
  ...inFile(`${BOOKS}/push-report.ts`, BOOKS_TEST, [
    ['a report has formulae', 'withoutFormula(String(row[column]))', 'String(row[column])'],
  ]),
  ...inFile(`${BOOKS}/export-rows.ts`, BOOKS_TEST, [
    ['an export has formulae', "withoutFormula(text ?? '')", "text ?? ''"],
  ]),
  ...inFile(`${BOOKS}/workbook.ts`, BOOKS_TEST, [
    ['a text that begins like an escape comes back as another one', '{4})/gi', '{4}_)/gi'],
  ]),
  ...inFile(`${CLI}/reconcile.ts`, RECONCILE_TEST, [
    ['a stored entry is matched twice', 'found.add(match.id);', ''],
    [
      'a stored entry is matched twice by its id or reference',
      'each !== undefined && !found.has(each.id)',
      'each !== undefined',
    ],
    ['equal rows are matched with one stored entry', '?.find(({ id }) => !found.has(id))', '?.[0]'],
    [
      'a stored entry with a reference is matched by its content',
      'if (each.externalRef === null) {',
      'if (true) {',
    ],
    [
      'a stored entry outside of the period is missed',
      'isInPeriod(each) && !found.has(each.id)',
      '!found.has(each.id)',
    ],
  ]),

  ...inFile(`${BOOKS}/comparison.ts`, RECONCILE_TEST, [
    [
      'a category that the file does not name differs',
      "field !== 'category' || entry.category !== undefined",
      'true',
    ],
  ]),
  ...inFile(`${BOOKS}/comparison.ts`, COMPARISON_TEST, [
    [
      'an equal payment of another source is not created',
      'if (byId || second === undefined) return',
      'if (true) return',
    ],
    [
      'an equal payment of another source is sent under its reference',
      'entry: { ...entry, externalRef: second }, ...other',
      'entry, ...other',
    ],
    [
      'an equal payment is sent again each time',
      'if (second !== undefined && bySecond && isHere(bySecond))',
      'if (false as boolean)',
    ],
    [
      'an entry without a reference is doubled by its export',
      'if (byId && isHere(byId))',
      'if (false as boolean)',
    ],
    [
      'a reference of the file is replaced by one of version 2',
      'isReferenceDerived ? referenceWithin(sourceId, reference) : undefined',
      'referenceWithin(sourceId, reference)',
    ],
    ['what an earlier reader read differs', 'earlier.description !== stored.description', 'true'],
    ['half of the rows make a wrong source', 'most.rows * 2 <= missing', 'most.rows * 4 <= missing'],
    [
      'the same payment each month makes a wrong source',
      'most.payments.size < DIFFERENT_PAYMENTS_MIN',
      'false',
    ],
    [
      'version 2 is no sign of a wrong source',
      '(isReferenceDerived && byReference.has(',
      '(false && byReference.has(',
    ],
  ]),
  ...inFile('clients/typescript/import/values/reference.ts', COMPARISON_TEST, [
    [
      'version 2 of a reference changes',
      '[WITHIN_SOURCE, sourceId, reference].join',
      '[sourceId, reference].join',
    ],
  ]),
  ...inFile(`${BOOKS}/stored-books.ts`, COMPARISON_TEST, [
    ['the books of a file with ids are read in part', 'entries.some(({ id }) => id !== undefined)', 'false'],
    ['the books are read up to the first entry', ' || entry.date > period.to', ''],
  ]),
  ...inFile(`${CLI}/push-file.ts`, SOURCES_TEST, [
    [
      'a file of another source is sent',
      'comparison.wrongSource && !options.anotherSource',
      'false as boolean && comparison.wrongSource',
    ],
    ['a push sees its own source only', 'await ledger.sources()', '[source]'],
    ['a push does not say what it sends', 'output.note(promiseLines(', 'void (promiseLines('],
    ['a push without the service seems to send', 'if (options.offline && !options.dryRun) {', 'if (false) {'],
  ]),
  ...inFile(`${CLI}/reconcile.ts`, SOURCES_TEST, [
    [
      'reconcile ends with 0 if the file and the books differ',
      'EXIT.OK : EXIT.DIFFERENT',
      'EXIT.OK : EXIT.OK',
    ],
  ]),
];
