/** The schemas of the API, used for validation and for its description. */
import Type, { type Static, type TNumberOptions, type TSchema, type TStringOptions } from 'typebox';
import {
  type CATEGORIES,
  ENTRY_TYPES,
  LIMITS,
  PLANS,
  SOURCE_ROLES,
  SOURCE_TYPES,
} from '../../proto/domain.ts';
import { ERRORS, ISSUES_MAX } from './errors.ts';

const nullable = <S extends TSchema>(schema: S, options = {}) => Type.Union([schema, Type.Null()], options);

// Generators take an integer without a format for 32 bits.
export const Int32 = (options: TNumberOptions) => Type.Integer({ format: 'int32', ...options });
const Int64 = (options: TNumberOptions) => Type.Integer({ format: 'int64', ...options });

/** One of a set that may grow (docs/api/versions.md). Generated clients refuse what is not in an `enum`, so this has none. */
const OpenEnum = (known: string[], description: string) =>
  Type.String({
    description: `${description} Known: ${known.map((name) => `\`${name}\``).join(', ')}. Others may be added.`,
    examples: [known[0]],
    'x-extensible-enum': known,
  });

// Both refinements are described in words, not as a pattern: not every dialect of regular expressions can express them, and
// clients are generated in many languages.

// The format alone accepts the year 0000.
export const CalendarDate = (description: string) =>
  Type.Refine(
    Type.String({
      format: 'date',
      description: `${description} A real day from 0001-01-01 to 9999-12-31.`,
      examples: ['2026-04-06'],
    }),
    (date) => !date.startsWith('0000'),
    () => 'must be a date from 0001-01-01 to 9999-12-31',
  );

// Postgres cannot store U+0000 or an unpaired surrogate.
const Text = ({ description, ...options }: TStringOptions & { description: string }) =>
  Type.Refine(
    Type.String({
      ...options,
      description: `${description} Any text without U+0000 and without unpaired surrogates.`,
    }),
    (text) => text.isWellFormed() && !text.includes('\0'),
    () => 'must not contain U+0000 or an unpaired surrogate',
  );

const Uuid = (description: string) =>
  Type.String({ format: 'uuid', description, examples: ['019dc8f4-7a52-7c31-9d0e-3b1f5a6c7d8e'] });

const SourceTypeName = OpenEnum(SOURCE_TYPES, 'The kind of income source.');

export const Account = Type.Object(
  {
    accountId: Uuid('The account the key belongs to.'),
    plan: OpenEnum(Object.keys(PLANS), 'The plan of the account.'),
    capabilities: Type.Object({
      readBookkeeping: Type.Boolean(),
      writeBookkeeping: Type.Boolean(),
      // Not `const: false`: generators make an enum of strings of it.
      hmrcSubmission: Type.Boolean({
        description: 'Always false: filing is done in the app.',
        examples: [false],
      }),
    }),
    note: Type.Optional(Type.String({ description: 'Text for a person.' })),
  },
  { description: 'The account a key belongs to, and the rights of the key.' },
);

export const Source = Type.Object(
  {
    id: Uuid('Passed as `{id}` to the transactions endpoints.'),
    name: Type.String({ examples: ['12 Acacia Avenue'] }),
    type: SourceTypeName,
    countryCode: nullable(Type.String({ pattern: '^[A-Z]{2}$' }), {
      description: 'ISO 3166-1 alpha-2 for overseas property, otherwise null.',
    }),
    role: Type.Enum([...SOURCE_ROLES]),
    sharePercent: Type.Number({
      minimum: 0,
      maximum: 100,
      description: "The account holder's share of a jointly held property, as a percentage.",
    }),
    transactionCount: Int32({
      minimum: 0,
      description: 'Ledger entries currently recorded against the source.',
    }),
  },
  { description: 'An income source, set up in the app.' },
);

export const SourceList = Type.Object({ sources: Type.Array(Source) });

export const Category = Type.Object({
  key: Type.String({ description: "Accepted in a transaction's `category`.", examples: ['periodAmount'] }),
  label: Type.String({ examples: ['rent received'] }),
});

export const CategorySet = Type.Object(
  { income: Type.Array(Category), expense: Type.Array(Category) },
  { description: 'The categories of one source type.' },
);

export const CategorySets = Type.Object(
  Object.fromEntries(SOURCE_TYPES.map((type) => [type, CategorySet])) as Record<
    keyof typeof CATEGORIES,
    typeof CategorySet
  >,
  { description: 'The categories of every source type.' },
);

const EntryType = Type.Enum([...ENTRY_TYPES]);

export const Transaction = Type.Object(
  {
    id: Uuid('Given by the service.'),
    date: Type.String({ format: 'date' }),
    type: EntryType,
    category: nullable(Type.String(), { description: 'Null while the entry waits in the review queue.' }),
    amountPence: Int64({ minimum: 1, maximum: LIMITS.amountPenceMax, description: 'Whole pence.' }),
    description: nullable(Type.String()),
    externalRef: nullable(Type.String()),
  },
  { description: 'A ledger entry as it is stored.' },
);

export const TransactionInput = Type.Object(
  {
    date: CalendarDate('The day of the transaction.'),
    type: EntryType,
    amountPence: Int64({
      minimum: 1,
      maximum: LIMITS.amountPenceMax,
      description: 'Whole pence, written as an integer: 450.00 pounds is 45000.',
      examples: [45000],
    }),
    category: Type.Optional(
      Text({
        description:
          "A key valid for the source's type and the entry's type. Without it the entry goes to the review queue.",
        examples: ['periodAmount'],
      }),
    ),
    description: Type.Optional(
      Text({
        maxLength: LIMITS.descriptionMax,
        description: 'What the transaction was for.',
        examples: ['Rent, April'],
      }),
    ),
    externalRef: Type.Optional(
      Text({
        minLength: 1,
        maxLength: LIMITS.externalRefMax,
        description:
          "The client's own id. An entry whose externalRef is already in the books is not created again.",
        examples: ['bank-2026-04-06-0001'],
      }),
    ),
  },
  { additionalProperties: false, description: 'A ledger entry to create.' },
);

export type TransactionInput = Static<typeof TransactionInput>;

/** The names of its properties. */
export const ENTRY_PROPERTIES: readonly string[] = Object.keys(TransactionInput.properties);

export const TransactionInputs = Type.Array(TransactionInput, {
  minItems: 1,
  maxItems: LIMITS.entriesPerRequest,
});

// The quoted string of the IETF draft, or a bare word, as many clients send it. Two headers are joined by a comma and a space, which
// neither matches. The pattern is published, so it uses only what every dialect of regular expressions reads alike.
const QUOTED = '"([ !#-\\[\\]-~]|\\\\["\\\\])+"';
const BARE = '[!#-~]+';

/** The Idempotency-Key header, under which a client can safely repeat a request. */
export const IdempotencyKey = Type.String({
  minLength: 1,
  maxLength: LIMITS.idempotencyKeyMax,
  pattern: `^(${QUOTED}|${BARE})$`,
  description:
    'A unique name for this request, such as a UUID: one word, or one string in double quotes, of ASCII characters. The ' +
    'same request sent again under the same key within 24 hours creates nothing and gets the first response again, even ' +
    'if that response never arrived.',
  examples: ['8e03978e-40d5-43e8-bc93-6894a57f9324'],
});

export const TransactionList = Type.Object({
  transactions: Type.Array(Transaction),
  nextCursor: nullable(Type.String(), {
    description: 'Passed as `cursor` to read the next page; null on the last page.',
  }),
});

export const EntryReference = Type.Object({
  id: Uuid("The entry's id."),
  externalRef: nullable(Type.String()),
});

export const Conflict = Type.Object({
  index: Int32({ minimum: 0, description: 'Position of the sent entry.' }),
  externalRef: Type.String(),
  id: Uuid('The stored entry, which stands unchanged.'),
  fields: Type.Array(Type.String(), { description: 'Where the sent entry differs from the stored one.' }),
});

export const CreateResult = Type.Object(
  {
    created: Int32({ minimum: 0, description: 'Entries newly created.' }),
    deduplicated: Int32({ minimum: 0, description: 'Entries matched by externalRef.' }),
    transactions: Type.Array(EntryReference, { description: 'The newly created entries.' }),
    existing: Type.Array(EntryReference, { description: 'The matched entries, with their stored ids.' }),
    conflicts: Type.Optional(
      Type.Array(Conflict, {
        description:
          'Matched entries whose stored content differs from the sent entry. Only present when there are any.',
      }),
    ),
  },
  { description: 'The outcome of each entry: created + deduplicated is the number sent.' },
);

export const TransactionsQuery = Type.Object({
  from: Type.Optional(CalendarDate('Earliest date included.')),
  to: Type.Optional(CalendarDate('Latest date included.')),
  cursor: Type.Optional(Type.String({ description: 'The `nextCursor` of the previous page.' })),
  limit: Type.Optional(
    Int32({
      minimum: 1,
      maximum: LIMITS.pageSizeMax,
      default: LIMITS.pageSizeDefault,
      description: 'Entries on a page.',
    }),
  ),
});

export const CategoriesQuery = Type.Object({ sourceType: Type.Optional(SourceTypeName) });

export const Issue = Type.Object({
  path: Type.String({
    description: 'JSON pointer to the fault: into the body, or to the query parameter.',
    examples: ['/3/amountPence'],
  }),
  message: Type.String({ description: 'The fault, and how to correct it.' }),
});

export const ErrorBody = Type.Object(
  {
    error: Type.Object({
      code: OpenEnum(Object.keys(ERRORS), 'Stable, for programs. If you do not know a code, use the status.'),
      message: Type.String({ description: 'For people.' }),
      issues: Type.Optional(
        Type.Array(Issue, {
          maxItems: ISSUES_MAX,
          description:
            'The faults and their places: with invalid_transaction, invalid_query and invalid_category.',
        }),
      ),
      validCategories: Type.Optional(
        Type.Array(Type.String(), { description: 'The accepted keys: with invalid_category.' }),
      ),
      limit: Type.Optional(Int32({ description: 'Entries in 24 hours: with daily_cap.' })),
      remaining: Type.Optional(Int32({ description: 'Entries that fit now: with daily_cap.' })),
      retryAfterSeconds: Type.Optional(Int32({ description: 'Until this request fits: with daily_cap.' })),
    }),
  },
  { description: 'Every failure has this shape.' },
);
