/** Mutations of what clients can only guess: the promises S1 to S22 of docs/promises.md. */
import type { Mutation } from './mutations.ts';

const SCHEMAS = 'gateway/api/schemas.ts';
const ENTRIES = 'gateway/input/entries.ts';
const QUERY = 'gateway/input/page-query.ts';
const ROUTES = 'gateway/routes/transactions.ts';
const CATEGORIES = 'gateway/routes/categories.ts';
const DOCS = 'gateway/routes/docs.ts';
const APP = 'gateway/app.ts';
const VALIDATION_TEST = 'test/gateway/input/validation.test.ts';
const BODY_TEST = 'test/gateway/input/body.test.ts';

export const PROMISE_MUTATIONS: Mutation[] = [
  {
    name: 'only the first failing path of an entry is listed',
    breaks: ['S1'],
    file: 'gateway/input/issues.ts',
    edits: [['if (!issues.has(path)) issues.set', 'if (issues.size === 0) issues.set']],
    tests: [VALIDATION_TEST],
  },
  {
    name: 'categories of one type come under its name',
    breaks: ['S5'],
    file: CATEGORIES,
    edits: [['CATEGORIES[sourceType(types)]', '{ [sourceType(types)]: CATEGORIES[sourceType(types)] }']],
    tests: ['test/gateway/categories.test.ts'],
  },
  {
    name: 'a list from a day after its last one is empty',
    breaks: ['S6'],
    file: QUERY,
    edits: [[' && from > to)', ' && false)']],
    tests: ['test/gateway/pages.test.ts'],
  },
  {
    name: 'an unknown query parameter is ignored',
    breaks: ['S7'],
    file: 'gateway/input/issues.ts',
    edits: [['if (accepted.includes(name) || issues.has(path)) continue;', 'continue;']],
    tests: ['test/gateway/input/unknown-parameters.test.ts'],
  },
  {
    name: 'every origin may call the API from a browser',
    breaks: ['S8'],
    file: 'gateway/http/cors.ts',
    edits: [["listed.has(headers.get('origin')) && ", '']],
    tests: ['test/gateway/http/cors.test.ts'],
  },
  {
    name: 'the description closes the list of error codes',
    breaks: ['S9'],
    file: SCHEMAS,
    edits: [
      [
        "Type.Union([Type.Enum(Object.keys(ERRORS), { type: 'string' }), Type.String()], {",
        "Type.Union([Type.Enum(Object.keys(ERRORS), { type: 'string' })], {",
      ],
    ],
    tests: ['test/gateway/api/portable-description.test.ts'],
  },
  {
    name: 'a source id that is no UUID reaches the worker',
    breaks: ['S11', 'I8'],
    file: ROUTES,
    edits: [['if (!isUuid(id)) throw sourceNotFound(id);', 'void isUuid(id);']],
    tests: ['test/gateway/create.test.ts', 'test/gateway/pages.test.ts'],
  },
  {
    name: 'an amount above 2^53 - 1 is accepted',
    breaks: ['S12', 'I1'],
    file: SCHEMAS,
    edits: [
      [
        "      maximum: LIMITS.amountPenceMax,\n      description: 'Whole pence, written",
        "      description: 'Whole pence, written",
      ],
    ],
    tests: [VALIDATION_TEST],
  },
  {
    name: 'an empty reference is accepted',
    breaks: ['S13'],
    file: SCHEMAS,
    edits: [
      [
        '        minLength: 1,\n        maxLength: LIMITS.externalRefMax,',
        '        maxLength: LIMITS.externalRefMax,',
      ],
    ],
    tests: [VALIDATION_TEST],
  },
  {
    name: 'a date in the year 0000 is accepted',
    breaks: ['S14'],
    file: SCHEMAS,
    edits: [["(date) => !date.startsWith('0000')", '() => true']],
    tests: [VALIDATION_TEST],
  },
  {
    name: 'validCategories are those of income, whatever the type of the entry',
    breaks: ['S15'],
    file: 'gateway/ledger/errors.ts',
    edits: [["[entries[index]?.type ?? 'income']", "['income']"]],
    tests: ['test/gateway/create.test.ts'],
  },
  {
    name: 'the free plan has API access',
    breaks: ['S16'],
    file: 'proto/vocabulary.ts',
    edits: [['free: { apiAccess: false }', 'free: { apiAccess: true }']],
    tests: ['test/gateway/access/auth.test.ts'],
  },
  {
    name: 'a 405 does not say which methods there are',
    breaks: ['S17'],
    file: 'gateway/routes/admission.ts',
    edits: [[', { headers: { allow } });', ');']],
    tests: ['test/gateway/api/errors.test.ts'],
  },
  {
    name: 'a compressed body is read as it is',
    breaks: ['S18'],
    file: ENTRIES,
    edits: [["if (encoding && encoding !== 'identity') {", 'if (false) {']],
    tests: [BODY_TEST],
  },
  {
    name: 'a body without a content type is refused',
    breaks: ['S19'],
    file: ENTRIES,
    edits: [
      ['if (type && !/^(application|text)', 'if (!/^(application|text)'],
      ['json$/i.test(type))', "json$/i.test(type ?? ''))"],
    ],
    tests: [BODY_TEST],
  },
  {
    name: 'the page of the description needs a key',
    breaks: ['S20'],
    file: DOCS,
    edits: [
      [
        "import { ApiError } from '../api/errors.ts';",
        "import { ApiError, type ErrorCode } from '../api/errors.ts';\nconst NEEDED: ErrorCode = 'missing_key';",
      ],
      [
        ".all(DOCS_PATH, methodNotAllowed('GET, HEAD'), OTHER_METHODS)",
        `.onBeforeHandle(({ request }) => {
      if (!request.headers.has('authorization')) throw new ApiError(NEEDED, 'Send a key.');
    })
    .all(DOCS_PATH, methodNotAllowed('GET, HEAD'), OTHER_METHODS)`,
      ],
    ],
    tests: ['test/gateway/api/docs-page.test.ts'],
  },
  {
    name: 'an API that is switched off is served',
    breaks: ['S21'],
    file: APP,
    edits: [['if (!apiEnabled) return app;', '']],
    tests: ['test/security/inventory.test.ts'],
  },
  {
    name: 'a 5xx has its cause in the message',
    breaks: ['S22'],
    file: 'gateway/api/errors.ts',
    edits: [['`The service failed (request', 'String(cause) + `The service failed (request']],
    tests: ['test/security/untrusted-worker.test.ts'],
  },
];
