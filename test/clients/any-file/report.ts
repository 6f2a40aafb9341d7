/** The results of a run in words: a table by properties of files, and files with their truth. */
import { expectedOf } from './lines.ts';
import type { Entry } from './plan.ts';
import { type Found, type Run, shareRead, type Tally } from './run.ts';
import { featuresOf } from './violations.ts';
import { write } from './written.ts';

const HEADINGS = ['files', 'right', 'asked, right', 'wrong', 'wrong after', 'proved, asked', 'no choice'];
const MORE = ['not read', '> 4', 'most', 'beside invalid'];

export function tableOf({ total, byFeature }: Run): string {
  const rows = [...byFeature].sort(([one], [other]) => (one < other ? -1 : 1));
  const width = Math.max(...rows.map(([name]) => name.length), 10);
  const line = (name: string, cells: readonly (string | number)[]) =>
    name.padEnd(width) + cells.map((cell, at) => String(cell).padStart(widthOf(at) + 2)).join('');
  return [
    line('', [...HEADINGS, ...MORE]),
    ...rows.map(([name, tally]) => line(name, cellsOf(tally))),
    line('all', cellsOf(total)),
    `Of the files that are refused at first, ${(100 * shareRead(total)).toFixed(1)} % are read right after true answers.`,
  ].join('\n');
}

const widthOf = (at: number) => ([...HEADINGS, ...MORE][at] ?? '').length;

function cellsOf({ files, right, answered, unreadable, many, answersMax, besideInvalid, violations }: Tally) {
  return [
    ...[files, right, answered, violations['wrong without a word'] + violations.crash],
    ...[violations['wrong after true answers'], violations['a balance proves the file, and it asks']],
    ...[violations['no true answer among the choices'], unreadable, many, answersMax, besideInvalid],
  ];
}

export function reasonsOf({ reasons, second }: Run): string {
  const lines = [...reasons].sort(([, one], [, other]) => other - one).slice(0, 40);
  return [
    ...lines.map(([reason, count]) => `${String(count).padStart(6)}  ${reason}`),
    `Second files: ${second.files} read with the kept answers, ${second.asked} asked about columns, ${second.wrong} wrong.`,
  ].join('\n');
}

/** Prints the file, its truth and its reading. */
export function wordsOf({ file, kind, plan, reading }: Found): string {
  const { bytes } = write(plan);
  const isText = plan.format !== 'xlsx';
  const content = isText ? new TextDecoder().decode(bytes) : sheetOf(plan);
  return [
    `--- ${file}: ${kind}${reading.reason && ` (${reading.reason})`}`,
    `${plan.fileName}: ${featuresOf(plan).join('; ')}`,
    content.trimEnd(),
    `truth:   ${expectedOf(plan).map(entriesOf).join(' or ')}`,
    `entries: ${entriesOf(reading.entries)}`,
    ...reading.questions.map(
      ({ kind: asked, name, values, choices, message }) =>
        `asked:   ${asked} ${name} ${values ? `[${values.join(', ')}] ` : ''}(${choices.join(', ')}): ${message}`,
    ),
    ...reading.messages.slice(0, 5).map((message) => `said:    ${message}`),
  ].join('\n');
}

const entriesOf = (entries: readonly Entry[]) =>
  entries
    .map(
      ({ date, type, amountPence }) =>
        `${date} ${type === 'income' ? '+' : '-'}${(amountPence / 100).toFixed(2)}`,
    )
    .join(', ') || 'none';

function sheetOf(plan: Found['plan']): string {
  const lines = write({ ...plan, format: 'csv' }).bytes;
  return `(a workbook)\n${new TextDecoder().decode(lines)}`;
}
