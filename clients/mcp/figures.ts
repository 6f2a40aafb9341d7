/** `figures`: the sums of a tax year by HMRC's fields. It submits nothing. */
import { z } from 'zod';
import { sourceIn } from '../settings/sources.ts';
import {
  amountsOf,
  businessName,
  isFinal,
  notesOf,
  refusalsOf,
} from '../typescript/figures/business-notes.ts';
import type { BusinessFigures, StatedFacts } from '../typescript/figures/figures.ts';
import { KEYS } from '../typescript/figures/naming.ts';
import { type Quarter, taxYearName, taxYearOf, taxYearStart, ukDay } from '../typescript/figures/periods.ts';
import { snapshotOf } from '../typescript/figures/snapshot.ts';
import { statedFacts } from '../typescript/figures/stated-facts.ts';
import { TOTALS, totalOf } from '../typescript/figures/totals.ts';
import { updateContent, wholeOf } from '../typescript/figures/update.ts';
import { daysToRead, lastYearQuestion, type PeriodFigures, yearFigures } from '../typescript/figures/year.ts';
import type { Ledger, Source } from '../typescript/index.ts';
import { type BooksOptions, readBooks } from '../typescript/match/stored-books.ts';
import { sourcesWithCategories } from '../typescript/source-categories.ts';
import { ToolError } from './errors.ts';
import { sinceEarlier, sinceShape } from './figures-since.ts';
import { readWithin } from './folder.ts';
import { amountOf, amountShape, entryType, UNTRUSTED } from './texts.ts';
import type { AddTool, Call } from './tool.ts';

const amount = z.object(amountShape);

/** Of one check: search_entries finds the others. */
const IDS_MAX = 20;

const business = z.object({
  name: z.string(),
  sources: z.array(z.string()),
  notes: z.array(z.string()),
  lines: z.array(
    z.object({
      type: entryType,
      category: z.string(),
      field: z.string().nullable().describe("HMRC's"),
      sum: amount.describe('where it is open, entries are taken as your share already'),
      yourShare: amount.describe('where it is open, entries are taken as the whole'),
      refunds: amount.describe('that rules set against it'),
      entries: z.int(),
    }),
  ),
  totals: z.array(z.object({ label: z.string(), sum: amount, yourShare: amount })),
  withoutCategory: z
    .object({ count: z.int(), income: amount, expense: amount })
    .describe('entries that are in none of the lines: while there are some, the figures are not final'),
  update: z
    .object({
      consolidatedExpenses: z.object({
        sum: amount,
        allowed: z.enum(['so far', 'no', 'ask']),
        why: z.string(),
      }),
      violations: z.array(
        z.object({ field: z.string(), rule: z.string(), message: z.string(), ids: z.array(z.string()) }),
      ),
    })
    .array()
    .optional()
    .describe(
      'of the year so far, by the rules of HMRC; two if it is open whether entries are the share or the whole',
    ),
});

export function addFiguresTool(
  addTool: AddTool,
  {
    ledger,
    folder,
    readRules,
  }: { ledger: Ledger; folder: string | undefined; readRules: () => Promise<string | undefined> },
): void {
  addTool(
    'figures',
    {
      title: 'Figures of a tax year',
      description: `Sums of a tax year by HMRC's fields, for each quarter and for the year so far. Submits nothing to HMRC and changes nothing: a person confirms and sends a quarterly update in the app. ${UNTRUSTED}`,
      input: {
        taxYear: z.string().max(7).optional().describe('such as 2026-27; by default the current tax year'),
        quarter: z
          .int()
          .min(1)
          .max(4)
          .optional()
          .describe('one quarter and the year up to its end; by default all'),
        calendarQuarters: z
          .boolean()
          .optional()
          .describe('quarters from the 1st of April instead of the 6th'),
        lastYear: z
          .enum(['standard', 'calendar'])
          .optional()
          .describe(
            "last year's quarters, as the person says: after a change the year begins on another day",
          ),
        source: z.string().max(200).optional().describe('an id or a name; by default all sources'),
        since: z.string().max(1_000).optional().describe('a file: earlier figures to compare'),
      },
      output: {
        taxYear: z.string(),
        submitted: z.literal(false),
        isFinal: z.boolean(),
        notes: z.array(z.string()),
        checks: z
          .array(z.object({ message: z.string(), ids: z.array(z.string()) }))
          .describe('to compare with the originals first'),
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
        since: sinceShape.optional(),
        periods: z.array(
          z.object({ name: z.string(), from: z.string(), to: z.string(), businesses: z.array(business) }),
        ),
      },
    },
    async ({ taxYear, quarter, calendarQuarters, lastYear, source, since }, call) => {
      const today = ukDay();
      const start = taxYearStart(taxYear ?? taxYearName(taxYearOf(today)));
      if (start === undefined) throw new ToolError('taxYear takes a tax year such as 2026-27.');
      const all = await ledger.sources(call);
      const facts = await factsOf(ledger, await readRules(), all, call);
      const chosen = source === undefined ? all : [sourceIn(all, source)];
      const choice = {
        start,
        quarter: quarter as Quarter | undefined,
        lastYear,
        today,
        isPart: source !== undefined,
        quarters: calendarQuarters ? ('calendar' as const) : ('standard' as const),
      };
      const onProgress: BooksOptions['onProgress'] = (_, pause) => call.onPause(pause);
      const books = await readBooks(ledger, chosen, { ...daysToRead(choice), onProgress }, call.signal);
      const question = lastYearQuestion(books, choice);
      if (question !== undefined)
        throw new ToolError(`${question} Ask the person, and give the answer as lastYear.`);
      const year = yearFigures(books, choice, facts);
      const { periods, updates, notes, beyond, checks } = year;
      const only = source === undefined ? null : (chosen[0]?.id ?? null);
      const present = { year, sources: all, source: only };
      const earlier = since === undefined ? undefined : await readWithin(folder, since);
      return {
        taxYear: year.taxYear,
        submitted: false as const,
        isFinal: periods.every(isFinal),
        notes: [...notes, ...beyond],
        checks: checks.map(({ message, entries }) => ({
          message,
          ids: entries.slice(0, IDS_MAX).map(({ stored }) => stored.id),
        })),
        updates,
        ...(since !== undefined &&
          earlier && { since: sinceEarlier(since, earlier, present, snapshotOf(year, books.byId)) }),
        periods: periods.map((period) => ({
          name: period.name,
          from: period.from,
          to: period.to,
          businesses: period.businesses.map((each) => shownBusiness(each, period)),
        })),
      };
    },
  );
}

async function factsOf(
  ledger: Ledger,
  rules: string | undefined,
  sources: readonly Source[],
  call: Call,
): Promise<StatedFacts> {
  return rules === undefined ? {} : statedFacts(rules, await sourcesWithCategories(ledger, sources, call));
}

function shownBusiness(of: BusinessFigures, period: PeriodFigures): z.infer<typeof business> {
  const { count, incomePence, expensePence } = of.withoutCategory;
  return {
    name: businessName(of),
    sources: of.sources.map(({ source }) => source.name),
    notes: [...refusalsOf(of, period, KEYS), ...notesOf(of, period, KEYS)],
    lines: of.lines.map(
      ({ type, category, field = null, asSharePence, sharePence, refundPence, ids, refundIds }) => ({
        type,
        category,
        field,
        sum: amountOf(asSharePence),
        yourShare: amountOf(sharePence),
        refunds: amountOf(refundPence),
        entries: ids.length + refundIds.length,
      }),
    ),
    totals: TOTALS.map((label) => ({
      label,
      sum: amountOf(totalOf(label, of.type, of.lines, (line) => line.asSharePence)),
      yourShare: amountOf(totalOf(label, of.type, of.lines, (line) => line.sharePence)),
    })),
    withoutCategory: { count, income: amountOf(incomePence), expense: amountOf(expensePence) },
    ...(period.isCumulative && {
      update: amountsOf(wholeOf(of, period).sources).map(({ amount }) => {
        const { consolidated, violations } = updateContent(of, period, amount);
        const { pence, allowed, why } = consolidated;
        return { consolidatedExpenses: { sum: amountOf(pence), allowed, why }, violations };
      }),
    }),
  };
}
