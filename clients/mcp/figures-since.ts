/** The changes of figures since an earlier report of `ledger figures --json`, or of the page. */
import { z } from 'zod';
import { businessName } from '../typescript/figures/business-notes.ts';
import { EarlierError, earlierSnapshot, type Present } from '../typescript/figures/earlier.ts';
import { entryOfChange, explanationOf, reasonOf, statedReason } from '../typescript/figures/explanation.ts';
import { changesSince, type EntryChange, type FigureChange } from '../typescript/figures/since.ts';
import type { Snapshot } from '../typescript/figures/snapshot.ts';
import { pounds } from '../typescript/pounds.ts';
import { ToolError } from './errors.ts';
import { amountOf, amountShape, entryType } from './texts.ts';

const amount = z.object(amountShape);
const effect = { ...amountShape, yourSharePence: z.int(), because: z.string() };

export const sinceShape = z.object({
  from: z.string(),
  to: z.string(),
  figures: z.array(
    z.object({
      business: z.string(),
      type: entryType,
      category: z.string(),
      before: amount,
      now: amount,
      differences: z.array(z.object(effect)),
    }),
  ),
});

/** @throws ToolError for another file, and figures that cannot be compared */
export function sinceEarlier(
  path: string,
  bytes: Uint8Array,
  present: Present,
  now: Snapshot,
): z.infer<typeof sinceShape> {
  try {
    const earlier = earlierSnapshot(new TextDecoder().decode(bytes), present);
    const { from, to } = earlier;
    return { from, to, figures: changesSince(earlier, now).map((change) => shownChange(change, to)) };
  } catch (error) {
    if (error instanceof EarlierError) throw new ToolError(`${path} ${error.message}.`);
    throw error;
  }
}

function shownChange(change: FigureChange, to: string) {
  const { business, type, category, before, now } = change;
  const { later, listed, others, shares, stated } = explanationOf(change, to);
  const shown = ({ pence, sharePence }: Pick<EntryChange, 'pence' | 'sharePence'>, because: string) => ({
    ...amountOf(pence),
    yourSharePence: Number(sharePence),
    because,
  });
  return {
    business: businessName({ ...business, name: business.name ?? '' }),
    type,
    category,
    before: amountOf(before.pence),
    now: amountOf(now.pence),
    differences: [
      ...(later.count > 0
        ? [shown(later, `${later.count === 1 ? '1 entry' : `${later.count} entries`} after ${to}`)]
        : []),
      ...listed.map((each) => {
        const { date = '', description } = entryOfChange(each) ?? {};
        return shown(each, `${date} ${description ?? ''} (${reasonOf(each, pounds)})`);
      }),
      ...(others.count > 0 ? [shown(others, `more entries: ${others.count}`)] : []),
      ...shares.map(({ before: was, now: is, sharePence }) =>
        shown({ pence: 0n, sharePence }, `${is.name} at ${is.percent} % instead of ${was.percent} %`),
      ),
      ...stated.map((each) =>
        shown({ pence: each.pence, sharePence: each.pence }, statedReason(each, pounds)),
      ),
    ],
  };
}
