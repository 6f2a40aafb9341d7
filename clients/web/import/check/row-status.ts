/** The status of a row in the books, and a sentence about it. */

import type { WrongSource } from '../../../typescript/match/compared.ts';
import {
  type ComparedEntry,
  type DifferingField,
  FIELD_WORDS,
} from '../../../typescript/match/compared-entry.ts';
import { dateText, poundsText } from '../../page/format.ts';

/** @param isDecided a person has said that a row with another amount is the stored entry */
export function statusOf(compared: ComparedEntry | undefined, isDecided: boolean) {
  if (!compared) return { status: 'read' } as const;
  const { matchStatus, probably } = compared;
  return {
    status: matchStatus,
    isCorrection: probably?.isEarlierVersion ?? false,
    isDecided: matchStatus === 'joined' || (isDecided && matchStatus === 'conflict'),
  };
}

/** A sentence about the row in the books; empty if there is nothing to say. */
export function noteOf(
  compared: ComparedEntry | undefined,
  wrongSource: WrongSource | undefined,
  isDecided: boolean,
): string {
  const { matchStatus, storedIn, fields = [], probably } = compared ?? {};
  if (probably) {
    const { date, description, amountPence } = probably.stored;
    const [name, day, text] = [probably.source.name, dateText(date), description ?? 'no description'];
    const { other } = probably;
    if (other)
      return `Row ${other.row} of ${other.file} may be the same payment: ${poundsText(amountPence)} on ${day}, ${text}. Is it?`;
    if (matchStatus === 'joined') return `It is the entry of ${day} in ${name}: ${text}.`;
    if (!probably.isEarlierVersion)
      return `${name} has this amount on ${day}: ${text}. Is it the same payment?`;
    return `Probably a correction of ${poundsText(amountPence)} on ${day} in ${name}: ${text}. If it is, leave the row out, and correct the entry in the app.`;
  }
  if (matchStatus === 'conflict')
    return `${differenceText(fields)}${isDecided ? ' Correct the entry in the app.' : ''}`;
  if (matchStatus === 'taken' && compared?.stored) {
    const { date, amountPence } = compared.stored;
    return `Its reference belongs to an entry of ${dateText(date)}, ${poundsText(amountPence)}. It cannot be imported under that reference.`;
  }
  if (matchStatus === 'elsewhere') return `It is in ${storedIn?.name} and is not imported here.`;
  if (matchStatus !== 'new' || !storedIn) return '';
  // Whether it is created is for the person to say, of the whole file.
  const isOfWrongSource = wrongSource?.source.id === storedIn.id;
  return `${storedIn.name} has an equal entry.${isOfWrongSource ? '' : ' This one is created too.'}`;
}

function differenceText(fields: readonly DifferingField[]): string {
  const others = fields.filter((field) => field !== 'split').map((field) => FIELD_WORDS[field]);
  const texts = [
    ...(others.length > 0 ? [`The books have another ${others.join(', ')}.`] : []),
    ...(others.length < fields.length ? ['The books have it split in another way.'] : []),
  ];
  return texts.join(' ');
}
