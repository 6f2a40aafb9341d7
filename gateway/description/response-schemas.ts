/** The schemas of responses, and the body of a POST with its two forms: only the description uses them. */
import Type, { type TSchema } from 'typebox';
import {
  type CATEGORIES,
  ENTRY_TEXTS,
  LIMITS,
  PLANS,
  SOURCE_ROLES,
  SOURCE_TYPES,
} from '../../proto/domain.ts';
import { ERRORS, ISSUES_MAX } from '../api/errors.ts';
import { ClosedEnum, EntryType, Int32, Int64, TransactionInput, TransactionInputs } from '../api/schemas.ts';

const nullable = <S extends TSchema>(schema: S, options = {}) => Type.Union([schema, Type.Null()], options);

// A value matches one of these. TypeBox's union is an `anyOf`, which ogen refuses. Each has a name: oapi-codegen cannot send others.
const oneOf = (alternatives: TSchema[], description: string): TSchema =>
  Type.Unsafe({ oneOf: alternatives, description });

/** One of a set that may grow (docs/api/versions.md). Generated clients refuse what is not in an `enum`, so this has none. */
const OpenEnum = (known: string[], description: string) =>
  Type.String({
    description: `${description} Known: ${known.map((name) => `\`${name}\``).join(', ')}. Others may be added.`,
    examples: [known[0]],
    'x-extensible-enum': known,
  });

const Uuid = (description: string) =>
  Type.String({ format: 'uuid', description, examples: ['019dc8f4-7a52-7c31-9d0e-3b1f5a6c7d8e'] });

export const SourceTypeName = OpenEnum(SOURCE_TYPES, 'The kind of income source.');

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
    role: ClosedEnum(SOURCE_ROLES),
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

export const Categories = oneOf(
  [CategorySets, CategorySet],
  'The category sets by source type; with `sourceType` that one set.',
);

export const CreateRequest = oneOf([TransactionInput, TransactionInputs], 'One entry, or several.');

const [, ...otherTexts] = ENTRY_TEXTS;

export const Transaction = Type.Object(
  {
    id: Uuid('Given by the service.'),
    date: Type.String({ format: 'date' }),
    type: EntryType,
    category: nullable(Type.String(), { description: 'Null while the entry waits in the review queue.' }),
    amountPence: Int64({ minimum: 1, maximum: LIMITS.amountPenceMax, description: 'Whole pence.' }),
    ...Object.fromEntries(otherTexts.map((name) => [name, nullable(Type.String())])),
  },
  { description: 'A ledger entry as it is stored.' },
);

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
      index: Type.Optional(
        Int32({
          description:
            'The position of the first entry that does not fit now: with daily_cap. The entries before it fit.',
        }),
      ),
      retryAfterSeconds: Type.Optional(Int32({ description: 'Until this request fits: with daily_cap.' })),
    }),
  },
  { description: 'Every failure has this shape.' },
);
