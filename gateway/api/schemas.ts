/** The schemas of the input, used for validation and for the description. */
import Type, { type Static, type TNumberOptions, type TStringOptions } from 'typebox';
import { ENTRY_TYPES, LIMITS } from '../../proto/domain.ts';

// Generators take an integer without a format for 32 bits.
export const Int32 = (options: TNumberOptions) => Type.Integer({ format: 'int32', ...options });
export const Int64 = (options: TNumberOptions) => Type.Integer({ format: 'int64', ...options });

// TypeBox's own has no `type`, and generators then make any value of it.
export const ClosedEnum = <Name extends string>(names: readonly Name[]) =>
  Type.Enum([...names], { type: 'string' });

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

export const EntryType = ClosedEnum(ENTRY_TYPES);

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

export const TransactionsQuery = Type.Object({
  from: Type.Optional(CalendarDate('Earliest date included.')),
  to: Type.Optional(CalendarDate('Latest date included.')),
  cursor: Type.Optional(Type.String({ minLength: 1, description: 'The `nextCursor` of the previous page.' })),
  limit: Type.Optional(
    Int32({
      minimum: 1,
      maximum: LIMITS.pageSizeMax,
      default: LIMITS.pageSizeDefault,
      description: 'Entries on a page.',
    }),
  ),
});
