/** The status of a row in the books, and a sentence about it. */

import type { WrongSource } from '../../../typescript/match/compare.ts';
import {
  type ComparedEntry,
  type DifferingField,
  FIELD_WORDS,
} from '../../../typescript/match/compared-entry.ts';
import type { Transaction } from '../../../typescript/resources.ts';
import { dateText, poundsText } from '../../page/format.ts';

/** @param isDecided a person has said that a row with another amount is the stored entry */
export function rowStatusOf(entry: ComparedEntry | undefined, isDecided: boolean) {
  if (!entry) return { status: 'read' } as const;
  const { matchStatus } = entry;
  return {
    status: matchStatus === 'held back' ? 'elsewhere' : matchStatus,
    isCorrection: 'probably' in entry && entry.probably.isEarlierVersion,
    isDecided: matchStatus === 'same' || (isDecided && matchStatus === 'conflict'),
  };
}

/** A sentence about the row in the books; empty if there is nothing to say. */
export function noteOf(
  entry: ComparedEntry | undefined,
  wrongSource: WrongSource | undefined,
  isDecided: boolean,
): string {
  switch (entry?.matchStatus) {
    case 'same': {
      const { stored, source } = entry.probably;
      return `It is the entry of ${dateText(stored.date)} in ${source.name}: ${textOf(stored)}.`;
    }
    case 'probable': {
      const { stored, source, other, isEarlierVersion } = entry.probably;
      const [name, day, text] = [source.name, dateText(stored.date), textOf(stored)];
      const amount = poundsText(stored.amountPence);
      if (other)
        return `Row ${other.row} of ${other.file} may be the same payment: ${amount} on ${day}, ${text}. Is it?`;
      if (!isEarlierVersion) return `${name} has this amount on ${day}: ${text}. Is it the same payment?`;
      return `Probably a correction of ${amount} on ${day} in ${name}: ${text}. If it is, leave the row out, and correct the entry in the app.`;
    }
    case 'conflict':
      return `${differenceText(entry.fields)}${isDecided ? ' Correct the entry in the app.' : ''}`;
    case 'taken': {
      const { date, amountPence } = entry.holder.stored;
      return `Its reference belongs to an entry of ${dateText(date)}, ${poundsText(amountPence)}. It cannot be imported under that reference.`;
    }
    case 'elsewhere':
      return `It is in ${entry.storedIn.name} and is not imported here.`;
    case 'new': {
      const { source } = entry.equalElsewhere ?? {};
      if (!source) return '';
      // Whether it is created is for the person to say, of the whole file.
      const isOfWrongSource = wrongSource?.source.id === source.id;
      return `${source.name} has an equal entry.${isOfWrongSource ? '' : ' This one is created too.'}`;
    }
    default:
      return '';
  }
}

const textOf = ({ description }: Transaction) => description ?? 'no description';

function differenceText(fields: readonly DifferingField[]): string {
  const others = fields.filter((field) => field !== 'split').map((field) => FIELD_WORDS[field]);
  const texts = [
    ...(others.length > 0 ? [`The books have another ${others.join(', ')}.`] : []),
    ...(others.length < fields.length ? ['The books have it split in another way.'] : []),
  ];
  return texts.join(' ');
}
