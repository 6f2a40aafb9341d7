/** `ledger figures --since`: the changes since an earlier document, for people and for programs. */

import { ownFileContent } from '../../files/own-file.ts';
import { readBytes } from '../../files/read-bytes.ts';
import type { Days } from '../../typescript/days.ts';
import { businessName } from '../../typescript/figures/business-notes.ts';
import { type ComparableFigures, earlierSnapshot } from '../../typescript/figures/earlier.ts';
import { differencesOf, isShared } from '../../typescript/figures/explanation.ts';
import { type CategoryLabels, categoryLabel } from '../../typescript/figures/naming.ts';
import type { EntryChange, FigureChange } from '../../typescript/figures/since.ts';
import type { FigureEntry, Snapshot } from '../../typescript/figures/snapshot.ts';
import { pounds } from '../../typescript/pounds.ts';
import { excerpt, table } from '../output.ts';

interface Since extends Days {
  changes: FigureChange[];
}

/** A document with 500,000 entries is as long. */
const DOCUMENT_BYTES_MAX = 500_000_000;

/** @throws UserError */
export async function readSince(file: string, present: ComparableFigures): Promise<Snapshot> {
  const bytes = await readBytes(file, DOCUMENT_BYTES_MAX);
  return ownFileContent(file, bytes, (text) => earlierSnapshot(text, present));
}

/** The changes since an earlier document as lines, each with the entries that explain it. */
export function sinceLines({ from, to, changes }: Since, labels: CategoryLabels): string[] {
  return [
    '',
    `Changes since the figures of ${from} to ${to}`,
    ...(changes.length === 0 ? ['No figure has changed.'] : []),
    ...changes.flatMap((change) => changeLines(change, to, labels)),
  ];
}

function changeLines(change: FigureChange, to: string, labels: CategoryLabels): string[] {
  const { business, type, before, now } = change;
  const label = categoryLabel(labels, business.type, change);
  const isOfShare = isShared(change);
  const differences = differencesOf(change, to, {
    pounds,
    textOf: excerpt,
    nameOf: (category, { source }) => categoryLabel(labels, source.type, category),
    place: ': --json has all of them',
  });
  const share = isOfShare
    ? `, your share ${pounds(before.sharePence)} before and ${pounds(now.sharePence)} now`
    : '';
  return [
    '',
    `${businessName({ ...business, name: business.name ?? '' })}, ${type}, ${label}: ${pounds(before.pence)} before and ${pounds(now.pence)} now${share}`,
    ...table(
      differences.map(({ pence, sharePence, because }) => ({
        difference: pounds(pence),
        ...(isOfShare && { 'your share': pounds(sharePence) }),
        because,
      })),
    ),
  ];
}

/** Amounts are whole pence. */
export const sinceDocument = ({ from, to, changes }: Since) => ({
  from,
  to,
  figures: changes.map(
    ({ business, type, category, field = null, before, now, entries, shares, stated }) => ({
      business,
      type,
      category,
      field,
      before: amountsInDocument(before),
      now: amountsInDocument(now),
      difference: amountsInDocument({
        pence: now.pence - before.pence,
        sharePence: now.sharePence - before.sharePence,
      }),
      entries: entries.map((change) => ({
        id: (change.now ?? change.before)?.id,
        kind: change.kind,
        ...amountsInDocument(change),
        before: entryInDocument(change.before),
        now: entryInDocument(change.now),
      })),
      shares: shares.map(({ before, now, sharePence }) => ({
        sourceId: now.id,
        before: before.percent,
        now: now.percent,
        sharePence: Number(sharePence),
      })),
      stated: stated.map(({ source, before, now, pence }) => ({
        sourceId: source.id,
        before: Number(before),
        now: Number(now),
        pence: Number(pence),
      })),
    }),
  ),
});

const amountsInDocument = ({ pence, sharePence }: Pick<EntryChange, 'pence' | 'sharePence'>) => ({
  pence: Number(pence),
  sharePence: Number(sharePence),
});

const entryInDocument = (entry: FigureEntry | undefined) =>
  entry === undefined
    ? null
    : {
        sourceId: entry.source.id,
        date: entry.date,
        amountPence: entry.amountPence,
        description: entry.description,
        figure: entry.figure,
      };
