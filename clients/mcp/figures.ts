/** `figures`: the sums of a tax year by HMRC's fields. It submits nothing. */
import { z } from 'zod';
import { planSources, sourceIn } from '../cli/context.ts';
import { type BooksOptions, readBooks } from '../typescript/books/stored-books.ts';
import { businessName, notesOf } from '../typescript/figures/business-notes.ts';
import type { BusinessFigures, RefundOf } from '../typescript/figures/figures.ts';
import {
  cumulativeDays,
  type Quarter,
  taxYearName,
  taxYearOf,
  taxYearStart,
} from '../typescript/figures/periods.ts';
import { yearFigures } from '../typescript/figures/year.ts';
import { refundRules } from '../typescript/import/plan/compiled-rules.ts';
import type { Ledger, Source } from '../typescript/index.ts';
import { ToolError } from './errors.ts';
import { amountOf, amountShape, entryType, UNTRUSTED } from './texts.ts';
import type { AddTool, Call } from './tool.ts';

const amount = z.object(amountShape);

const business = z.object({
  ...{ name: z.string(), sources: z.array(z.string()), notes: z.array(z.string()) },
  lines: z.array(
    z.object({
      ...{ type: entryType, category: z.string(), field: z.string().nullable().describe("HMRC's") },
      ...{
        sum: amount,
        yourShare: amount,
        refunds: amount.describe('that rules set against it'),
        entries: z.int(),
      },
    }),
  ),
  withoutCategory: z
    .object({ count: z.int(), income: amount, expense: amount })
    .describe('entries that are in none of the lines: while there are some, the figures are not final'),
});

export function addFiguresTool(
  addTool: AddTool,
  { ledger, readRules }: { ledger: Ledger; readRules: () => Promise<string | undefined> },
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
        source: z.string().max(200).optional().describe('an id or a name; by default all sources'),
      },
      output: {
        ...{ taxYear: z.string(), submitted: z.literal(false), isFinal: z.boolean() },
        periods: z.array(
          z.object({ name: z.string(), from: z.string(), to: z.string(), businesses: z.array(business) }),
        ),
      },
    },
    async ({ taxYear, quarter, calendarQuarters, source }, call) => {
      const start = taxYearStart(taxYear ?? taxYearName(taxYearOf(new Date().toISOString().slice(0, 10))));
      if (start === undefined) throw new ToolError('taxYear takes a tax year such as 2026-27.');
      const quarters = calendarQuarters ? 'calendar' : 'standard';
      const of = { start, quarter: quarter as Quarter | undefined, quarters } as const;
      const all = await ledger.sources(call);
      const refundOf = await refundsOf(ledger, await readRules(), all, call);
      const chosen = source === undefined ? all : [sourceIn(all, source)];
      const days = cumulativeDays(start, of.quarter ?? 4, quarters);
      const onProgress: BooksOptions['onProgress'] = (_, pause) => call.onPause(pause);
      const books = await readBooks(ledger, chosen, { ...days, onProgress }, call.signal);
      const { periods, ...year } = yearFigures(books, of, refundOf);
      return {
        ...{ taxYear: year.taxYear, submitted: false as const },
        isFinal: periods.every(({ businesses }) =>
          businesses.every(({ withoutCategory }) => withoutCategory.count === 0),
        ),
        periods: periods.map(({ name, from, to, businesses }) => ({
          ...{ name, from, to, businesses: businesses.map(shownBusiness) },
        })),
      };
    },
  );
}

async function refundsOf(
  ledger: Ledger,
  rules: string | undefined,
  sources: readonly Source[],
  call: Call,
): Promise<RefundOf | undefined> {
  if (rules === undefined) return undefined;
  const find = refundRules(rules, await planSources(ledger, sources, call));
  return ({ stored, source }) => find(stored, source.id);
}

function shownBusiness(of: BusinessFigures): z.infer<typeof business> {
  const { count, incomePence, expensePence } = of.withoutCategory;
  return {
    ...{ name: businessName(of), sources: of.sources.map(({ source }) => source.name), notes: notesOf(of) },
    lines: of.lines.map(
      ({ type, category, field = null, pence, sharePence, refundPence, ids, refundIds }) => ({
        ...{ type, category, field, sum: amountOf(pence), yourShare: amountOf(sharePence) },
        ...{ refunds: amountOf(refundPence), entries: ids.length + refundIds.length },
      }),
    ),
    withoutCategory: { count, income: amountOf(incomePence), expense: amountOf(expensePence) },
  };
}
