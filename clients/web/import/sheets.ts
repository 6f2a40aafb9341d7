/** The sheets of workbooks that have a table and are not read: each can be a file of its own. */
import type { RefusedTable } from '../../typescript/import/index.ts';
import { type FileFacts, type GivenFile, isEqualFile } from './state.ts';

export interface Workbook {
  file: GivenFile;
  recognised: Pick<RefusedTable, 'sheet' | 'otherTables'> | undefined;
}

export interface OtherSheet {
  file: GivenFile;
  sheet: string;
}

/** Files whose columns may be open. A file that is still being read has its chosen sheet already. */
export const workbooksOf = (
  files: readonly Pick<FileFacts, 'file' | 'parseOptions' | 'read' | 'problem'>[],
): Workbook[] =>
  files.map(({ file, parseOptions: { sheet }, read, problem }) => {
    const recognised = read?.result.recognised ?? problem?.table;
    return { file, recognised: sheet === undefined ? recognised : { ...recognised, sheet } };
  });

/** Each sheet once, also if several other sheets of its workbook are read. @param pushedFiles their sheets count as read */
export function otherSheets(
  workbooks: readonly Workbook[],
  pushedFiles: readonly Workbook[] = [],
): OtherSheet[] {
  const found: OtherSheet[] = [];
  for (const { file, recognised } of workbooks) {
    for (const sheet of recognised?.otherTables ?? []) {
      const isSame = (other: GivenFile, name: string | undefined) =>
        name === sheet && isEqualFile(other, file);
      const isRead = [...workbooks, ...pushedFiles].some((each) => isSame(each.file, each.recognised?.sheet));
      if (!isRead && !found.some((each) => isSame(each.file, each.sheet))) found.push({ file, sheet });
    }
  }
  return found;
}

/** `The sheet “Expenses” of cashbook.xlsx is not read.` */
export const otherSheetText = ({ file, sheet }: OtherSheet): string =>
  `The sheet “${sheet}” of ${file.name} is not read.`;
