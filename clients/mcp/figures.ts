/** `figures`: the sums of a tax year by HMRC's fields. It submits nothing. */
import { z } from 'zod';
import { sourceIn } from '../settings/sources.ts';
import { ukDay } from '../typescript/days.ts';
import {
  businessName,
  isFinal,
  notesOf,
  readingsOf,
  refusalsOf,
} from '../typescript/figures/business-notes.ts';
import { KEY_NAMING } from '../typescript/figures/naming.ts';
import type { BusinessFigures } from '../typescript/figures/period-figures.ts';
import { type Quarter, taxYearOf, taxYearStart } from '../typescript/figures/periods.ts';
import { profitTotal, TOTALS } from '../typescript/figures/profit-totals.ts';
import { readYear } from '../typescript/figures/read-year.ts';
import { statedFacts } from '../typescript/figures/stated-facts.ts';
import { updateContent, wholeOf } from '../typescript/figures/update.ts';
import type { PeriodFigures } from '../typescript/figures/year.ts';
import { type BooksOptions, readBooks } from '../typescript/match/stored-books.ts';
import { sourcesWithCategories } from '../typescript/source-categories.ts';
import { ToolError } from './errors.ts';
import { sinceEarlier, sinceShape } from './figures-since.ts';
import { readWithin } from './folder.ts';
import { list, listOf } from './pages.ts';
import type { ToolContext } from './previews.ts';
import { amount, amountFields, boundedText, entryType, shortText, UNTRUSTED_TEXTS } from './texts.ts';
import type { AddTool } from './tool.ts';

/** Of one row: search_entries finds the others. */
const IDS_MAX = 20;
const NOTE_MAX = 1_000;

/** The entries behind a row. */
const behind = { entries: z.int(), ids: z.array(z.string()).describe(`of the first ${IDS_MAX} entries`) };
const periodAndBusiness = { period: z.string(), business: z.string() };

const business = {
  ...periodAndBusiness,
  sources: z.int(),
  totals: z.array(z.object({ label: z.string(), sum: amount, yourShare: amount })),
  withoutCategory: z
    .object({ count: z.int(), income: amount, expense: amount })
    .describe('entries that are in none of the lines: while there are some, the figures are not final'),
  consolidatedExpenses: z
    .array(z.object({ sum: amount, allowed: z.enum(['so far', 'no', 'ask']), why: z.string() }))
    .optional()
    .describe('of the year so far; two if it is open whether entries are the share or the whole'),
};

const line = {
  ...periodAndBusiness,
  type: entryType,
  category: z.string(),
  field: z.string().nullable().describe("HMRC's"),
  sum: amount,
  yourShare: amount,
  refunds: amount,
  entries: z.int(),
};

const violation = {
  ...periodAndBusiness,
  field: z.string(),
  rule: z.string(),
  message: z.string(),
  ...behind,
};

const note = { period: z.string().nullable(), business: z.string().nullable(), note: z.string() };

const INPUT = {
  taxYear: z.string().max(7).optional().describe('such as 2026-27; by default the current tax year'),
  quarter: z
    .int()
    .min(1)
    .max(4)
    .optional()
    .describe('one quarter and the year up to its end; by default all'),
  calendarQuarters: z.boolean().optional().describe('quarters from the 1st of April instead of the 6th'),
  lastYear: z
    .enum(['standard', 'calendar'])
    .optional()
    .describe("last year's quarters, as the person says: after a change the year begins on another day"),
  source: shortText.optional().describe('an id or a name; by default all sources'),
  since: z.string().max(1_000).optional().describe('a file: earlier figures to compare'),
};

const OUTPUT = {
  taxYear: z.string(),
  submitted: z.literal(false),
  isFinal: z.boolean(),
  updates: z.array(
    z.object({
      quarter: z.int(),
      from: z.string(),
      to: z.string(),
      deadline: z.string(),
      state: z
        .enum(['to come', 'open', 'due', 'past'])
        .describe('today is before, in or after its quarter (due: until the deadline)'),
    }),
  ),
  checks: listOf({ message: z.string(), ...behind }).describe('to compare with the originals first'),
  violations: listOf(violation).describe('what HMRC would refuse in the year so far'),
  notes: listOf(note),
  since: sinceShape.optional(),
  periods: z.array(z.object({ name: z.string(), from: z.string(), to: z.string() })),
  businesses: listOf(business),
  lines: listOf(line).describe(
    'where it is open, `sum` takes the entries as your share already, and `yourShare` as the whole; `refunds` are set against the line by rules',
  ),
};

/** Adds `figures`. */
export function addFiguresTool(addTool: AddTool, { ledger, folder, readRules }: ToolContext): void {
  addTool(
    'figures',
    {
      title: 'Figures of a tax year',
      description: `Sums of a tax year by HMRC's fields, for each quarter and for the year so far. Submits nothing to HMRC and changes nothing: a person confirms and sends a quarterly update in the app. ${UNTRUSTED_TEXTS}`,
      input: INPUT,
      output: OUTPUT,
    },
    async ({ taxYear, quarter, calendarQuarters, lastYear, source, since }, call) => {
      const start = taxYear === undefined ? taxYearOf(ukDay()) : taxYearStart(taxYear);
      if (start === undefined) throw new ToolError('taxYear takes a tax year such as 2026-27.');
      const sources = await ledger.sources(call);
      const rules = await readRules();
      const facts =
        rules === undefined ? {} : statedFacts(rules, await sourcesWithCategories(ledger, sources, call));
      const onProgress: BooksOptions['onProgress'] = (_, pause) => call.onPause(pause);
      const read = await readYear(
        {
          ...{ start, lastYear, calendarQuarters, sources, facts },
          quarter: quarter as Quarter | undefined,
          source: source === undefined ? undefined : sourceIn(sources, source),
        },
        (chosen, days) => readBooks(ledger, chosen, { ...days, onProgress }, call.signal),
      );
      if (read.question !== undefined)
        throw new ToolError(`${read.question} Ask the person, and give the answer as lastYear.`);
      const { year, snapshot } = read;
      const { periods, updates, notes, beyond, checks } = year;
      const earlier = since === undefined ? undefined : await readWithin(folder, since);
      const parts = periods.flatMap((period) =>
        period.businesses.map((each) => ({ period, business: each })),
      );
      const ofYear = [...notes, ...beyond].map((text) => ({ period: null, business: null, note: text }));
      return {
        taxYear: year.taxYear,
        submitted: false as const,
        isFinal: periods.every(isFinal),
        updates,
        checks: list(checks, ({ message, entries }) => ({
          message,
          ...shownIds(entries.map(({ stored }) => stored.id)),
        })),
        violations: list(parts.flatMap(violationsIn)),
        notes: list([...ofYear, ...parts.flatMap(notesIn)], (each) => ({
          ...each,
          note: boundedText(each.note, NOTE_MAX),
        })),
        ...(since !== undefined && earlier && { since: sinceEarlier(since, earlier, read, snapshot) }),
        periods: periods.map(({ name, from, to }) => ({ name, from, to })),
        businesses: list(parts, businessInResult),
        lines: list(parts.flatMap(linesIn)),
      };
    },
  );
}

/** The figures of a business in a period. */
interface PeriodOfBusiness {
  period: PeriodFigures;
  business: BusinessFigures;
}

const partFields = ({ period, business }: PeriodOfBusiness) => ({
  period: period.name,
  business: businessName(business),
});

const shownIds = (ids: readonly string[]) => ({ entries: ids.length, ids: ids.slice(0, IDS_MAX) });

/** The contents of its update: two if it is open whether entries are the share or the whole. */
const updateContents = ({ period, business }: PeriodOfBusiness) =>
  period.isCumulative
    ? readingsOf(wholeOf(business, period).sources).map(({ reading }) =>
        updateContent(business, period, reading),
      )
    : [];

const violationsIn = (part: PeriodOfBusiness) =>
  updateContents(part).flatMap(({ violations }) =>
    violations.map(({ field, rule, message, ids }) => ({
      ...partFields(part),
      field,
      rule,
      message,
      ...shownIds(ids),
    })),
  );

const notesIn = (part: PeriodOfBusiness) =>
  [refusalsOf, notesOf]
    .flatMap((textsOf) => textsOf(part.business, part.period, KEY_NAMING))
    .map((note) => ({ ...partFields(part), note }));

const linesIn = (part: PeriodOfBusiness) =>
  part.business.lines.map(
    ({ type, category, field = null, penceIfShare, penceIfWhole, refundPence, ids, refundIds }) => ({
      ...partFields(part),
      type,
      category,
      field,
      sum: amountFields(penceIfShare),
      yourShare: amountFields(penceIfWhole),
      refunds: amountFields(refundPence),
      entries: ids.length + refundIds.length,
    }),
  );

function businessInResult(part: PeriodOfBusiness): z.infer<z.ZodObject<typeof business>> {
  const { type, sources, lines, withoutCategory } = part.business;
  const { count, incomePence, expensePence } = withoutCategory;
  return {
    ...partFields(part),
    sources: sources.length,
    totals: TOTALS.map((label) => ({
      label,
      sum: amountFields(profitTotal(label, type, lines, (each) => each.penceIfShare)),
      yourShare: amountFields(profitTotal(label, type, lines, (each) => each.penceIfWhole)),
    })),
    withoutCategory: { count, income: amountFields(incomePence), expense: amountFields(expensePence) },
    ...(part.period.isCumulative && {
      consolidatedExpenses: updateContents(part).map(({ consolidated: { pence, allowed, why } }) => ({
        sum: amountFields(pence),
        allowed,
        why,
      })),
    }),
  };
}
