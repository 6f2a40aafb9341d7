/** The changes of figures since an earlier report of `ledger figures --json`, or of the page. */
import { z } from 'zod';
import { contentOf } from '../files/own-file.ts';
import { businessName } from '../typescript/figures/business-notes.ts';
import { earlierSnapshot, type Present } from '../typescript/figures/earlier.ts';
import {
  changeReason,
  entryOfChange,
  explanationOf,
  statedReason,
} from '../typescript/figures/explanation.ts';
import { changesSince, type EntryChange, type FigureChange } from '../typescript/figures/since.ts';
import type { Snapshot } from '../typescript/figures/snapshot.ts';
import { pounds } from '../typescript/pounds.ts';
import { list, listOf } from './pages.ts';
import { amount, amountOf, amountShape, entryType } from './texts.ts';

const figure = { business: z.string(), type: entryType, category: z.string() };

export const sinceShape = z.object({
  from: z.string(),
  to: z.string(),
  figures: listOf({ ...figure, before: amount, now: amount }).describe('that have changed'),
  differences: listOf({
    ...figure,
    ...amountShape,
    yourSharePence: z.int(),
    because: z.string(),
  }).describe('their parts, which add up to the change of the figure'),
});

/** @throws UserError for another file, and figures that cannot be compared */
export function sinceEarlier(
  path: string,
  bytes: Uint8Array,
  present: Present,
  now: Snapshot,
): z.infer<typeof sinceShape> {
  const earlier = contentOf(path, () => earlierSnapshot(new TextDecoder().decode(bytes), present));
  const { from, to } = earlier;
  const changes = changesSince(earlier, now);
  const differences = changes.flatMap((change) => differencesOf(change, to));
  return { from, to, figures: list(changes, shownChange), differences: list(differences, (each) => each) };
}

function figureOf({ business, type, category }: FigureChange) {
  return { business: businessName({ ...business, name: business.name ?? '' }), type, category };
}

const shownChange = (change: FigureChange) => ({
  ...figureOf(change),
  before: amountOf(change.before.pence),
  now: amountOf(change.now.pence),
});

function differencesOf(change: FigureChange, to: string) {
  const { later, listed, others, shares, stated } = explanationOf(change, to);
  const shown = ({ pence, sharePence }: Pick<EntryChange, 'pence' | 'sharePence'>, because: string) => ({
    ...figureOf(change),
    ...amountOf(pence),
    yourSharePence: Number(sharePence),
    because,
  });
  return [
    ...(later.count > 0
      ? [shown(later, `${later.count === 1 ? '1 entry' : `${later.count} entries`} after ${to}`)]
      : []),
    ...listed.map((each) => {
      const { date = '', description } = entryOfChange(each) ?? {};
      return shown(each, `${date} ${description ?? ''} (${changeReason(each, pounds)})`);
    }),
    ...(others.count > 0 ? [shown(others, `more entries: ${others.count}`)] : []),
    ...shares.map(({ before: was, now: is, sharePence }) =>
      shown({ pence: 0n, sharePence }, `${is.name} at ${is.percent} % instead of ${was.percent} %`),
    ),
    ...stated.map((each) => shown({ pence: each.pence, sharePence: each.pence }, statedReason(each, pounds))),
  ];
}
