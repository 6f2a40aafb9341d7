/** Names the sheets with a table that are not read, and offers to read them. */
import type { Importer } from '../importer.ts';
import { otherSheets, otherSheetText, type Workbook } from '../sheets.ts';

interface Props {
  workbooks: readonly Workbook[];
  pushedFiles?: readonly Workbook[];
  /** Without it, the sheets are named only. */
  importer?: Importer | undefined;
}

export function OtherSheets({ workbooks, pushedFiles, importer }: Props) {
  const sheets = otherSheets(workbooks, pushedFiles);
  if (sheets.length === 0) return null;
  return (
    <div class="note warning">
      {sheets.map((each) => (
        <div key={each.sheet + each.file.name} class="row-between">
          <p>{otherSheetText(each)} It has a table.</p>
          {importer && (
            <button type="button" class="small" onClick={() => void importer.addSheet(each)}>
              Read “{each.sheet}” too
            </button>
          )}
        </div>
      ))}
    </div>
  );
}
