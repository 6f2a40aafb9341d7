/** The changes of figures since an earlier report of `ledger figures --json`, or of the page. */
import { z } from 'zod';
import { ownFileContent } from '../files/own-file.ts';
import { businessName } from '../typescript/figures/business-notes.ts';
import { type ComparableFigures, earlierSnapshot } from '../typescript/figures/earlier.ts';
import { differencesOf } from '../typescript/figures/explanation.ts';
import { changesSince, type FigureChange } from '../typescript/figures/since.ts';
import type { Snapshot } from '../typescript/figures/snapshot.ts';
import { pounds } from '../typescript/pounds.ts';
import { list, listOf } from './pages.ts';
import { amount, amountFields, amountShape, entryType } from './texts.ts';

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
  present: ComparableFigures,
  now: Snapshot,
): z.infer<typeof sinceShape> {
  const earlier = ownFileContent(path, bytes, (text) => earlierSnapshot(text, present));
  const { from, to } = earlier;
  const changes = changesSince(earlier, now);
  const differences = changes.flatMap((change) =>
    differencesOf(change, to, { pounds }).map(({ pence, sharePence, because }) => ({
      ...figureOf(change),
      ...amountFields(pence),
      yourSharePence: Number(sharePence),
      because,
    })),
  );
  return { from, to, figures: list(changes, shownChange), differences: list(differences) };
}

function figureOf({ business, type, category }: FigureChange) {
  return { business: businessName({ ...business, name: business.name ?? '' }), type, category };
}

const shownChange = (change: FigureChange) => ({
  ...figureOf(change),
  before: amountFields(change.before.pence),
  now: amountFields(change.now.pence),
});
