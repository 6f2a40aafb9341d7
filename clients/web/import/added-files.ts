/** The open files, and the files that a person adds. */
import { type OtherSheet, otherSheets, workbooksOf } from './sheets.ts';
import { type FileFacts, type GivenFile, isEqualFile } from './state.ts';

/** The state of a file that was just opened: nothing is set in it. */
const AS_OPENED: Omit<FileFacts, 'file'> = {
  parseOptions: {},
  foundUses: [],
  usesOfRead: undefined,
  corrections: new Map(),
  read: undefined,
  problem: undefined,
};

/** A file with the content of an open one adds the next sheet of the workbook, or nothing. */
export function withAddedFiles(files: readonly FileFacts[], added: readonly GivenFile[]): FileFacts[] {
  const all = [...files];
  for (const { name, bytes } of added) {
    const file = { name: uniqueName(name, all), bytes };
    const [next] = otherSheets(workbooksOf(all)).filter((each) => isEqualFile(each.file, file));
    if (next) all.push(asFile(next, all));
    else if (!all.some((each) => isEqualFile(each.file, file))) all.push({ ...AS_OPENED, file });
  }
  return all;
}

/** A sheet of an open workbook becomes a file of its own. */
export const withSheet = (files: readonly FileFacts[], sheet: OtherSheet): FileFacts[] => [
  ...files,
  asFile(sheet, files),
];

const asFile = ({ file: { name, bytes }, sheet }: OtherSheet, others: readonly FileFacts[]): FileFacts => ({
  ...AS_OPENED,
  file: { name: uniqueName(`${sheet} of ${name}`, others), bytes },
  parseOptions: { sheet },
});

/** `rents (2).csv` if another file is `rents.csv`: messages tell the two apart by their names. */
export function uniqueName(name: string, others: readonly { file: GivenFile }[]): string {
  const [, start, end] = /^(.*?)(\.\w+)?$/s.exec(name) ?? [];
  for (let number = 1; ; number++) {
    const unique = number === 1 ? name : `${start} (${number})${end ?? ''}`;
    if (!others.some(({ file }) => file.name === unique)) return unique;
  }
}
