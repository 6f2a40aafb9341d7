/** The shown figures as files, and the changes since a file of an earlier update. */
import { useMemo, useState } from 'preact/hooks';
import { OwnFileError } from '../../../typescript/export/own-file-error.ts';
import { ownText } from '../../../typescript/export/own-text.ts';
import { workbookOf } from '../../../typescript/export/workbook.ts';
import { businessName } from '../../../typescript/figures/business-notes.ts';
import { documentOfFigures } from '../../../typescript/figures/document.ts';
import { earlierSnapshot } from '../../../typescript/figures/earlier.ts';
import { differencesOf, isShared } from '../../../typescript/figures/explanation.ts';
import { type CategoryLabels, categoryLabel } from '../../../typescript/figures/naming.ts';
import { figuresSheets } from '../../../typescript/figures/sheets.ts';
import { changesSince, type FigureChange } from '../../../typescript/figures/since.ts';
import type { Source } from '../../../typescript/index.ts';
import { download } from '../../page/download.ts';
import { FileButton } from '../../page/file-button.tsx';
import { dateText, periodText, poundsText } from '../../page/format.ts';
import { HeadRow } from '../../page/table.tsx';
import { MEDIA_TYPES } from '../entries-download.tsx';
import type { FiguresOfChoice } from './figures-of-choice.ts';

interface FiguresFilesProps {
  figures: FiguresOfChoice;
  sources: readonly Source[];
  labels: CategoryLabels;
}

interface EarlierFile {
  name: string;
  bytes: ArrayBuffer;
}

export function FiguresFiles({ figures: { year, snapshot }, sources, labels }: FiguresFilesProps) {
  const [file, setFile] = useState<EarlierFile>();
  const since = useMemo(
    () => file && comparedWith(file, { year, snapshot }, sources),
    [file, year, snapshot],
  );
  const name = `figures ${year.taxYear} to ${snapshot.to}`;
  const keep = () => {
    const document = documentOfFigures(year, snapshot, null);
    download(`${name}.json`, JSON.stringify(document, null, 2), 'application/json');
  };
  const saveWorkbook = () => {
    const sheets = figuresSheets(year, snapshot, labels);
    download(`${name}.xlsx`, workbookOf('figures', sheets), MEDIA_TYPES.xlsx);
  };
  return (
    <section class="card figures-kept" aria-labelledby="figures-kept">
      <h2 id="figures-kept">Keep and compare</h2>
      <p class="hint">
        Updates are cumulative, so that each one also reports late changes of earlier quarters. Keep the
        figures of each update as JSON: a later update can be compared with them. The workbook has every
        entry, and formulas that add them up.
      </p>
      <div class="actions">
        <button type="button" onClick={keep}>
          Keep as JSON
        </button>
        <button type="button" onClick={saveWorkbook}>
          Download the workbook
        </button>
        <FileButton
          label="Earlier figures"
          accept=".json"
          onChoose={([chosen]) =>
            void chosen.arrayBuffer().then((bytes) => setFile({ name: chosen.name, bytes }))
          }
        >
          Compare with earlier figures
        </FileButton>
      </div>
      <p class="problem" role="alert">
        {since && 'problem' in since && since.problem}
      </p>
      {since && 'changes' in since && (
        <div class="stack" role="status">
          <h3>
            Changes since {file?.name}, {periodText(since.from, since.to)}
          </h3>
          {since.changes.length === 0 && <p>No figure has changed.</p>}
          {since.changes.map((change) => (
            <Change key={changeKey(change)} change={change} to={since.to} labels={labels} />
          ))}
        </div>
      )}
    </section>
  );
}

function comparedWith(
  { name, bytes }: EarlierFile,
  { year, snapshot }: Pick<FiguresOfChoice, 'year' | 'snapshot'>,
  sources: readonly Source[],
): { problem: string } | { changes: FigureChange[]; from: string; to: string } {
  try {
    const earlier = earlierSnapshot(ownText(bytes), { year, sources, source: null });
    return { changes: changesSince(earlier, snapshot), from: earlier.from, to: earlier.to };
  } catch (error) {
    if (error instanceof OwnFileError) return { problem: `${name} ${error.message}.` };
    throw error;
  }
}

const changeKey = ({ business, type, category }: FigureChange) => JSON.stringify([business, type, category]);

function Change({ change, to, labels }: { change: FigureChange; to: string; labels: CategoryLabels }) {
  const { business, type, category, before, now } = change;
  const isOfShare = isShared(change);
  const name = categoryLabel(labels, business.type, { type, category });
  const differences = differencesOf(change, to, {
    pounds: poundsText,
    dayText: dateText,
    nameOf: (category, { source }) => categoryLabel(labels, source.type, category),
  });
  const all = { pence: now.pence - before.pence, sharePence: now.sharePence - before.sharePence };
  return (
    <table class="sums figures">
      <caption>
        {businessName({ ...business, name: business.name ?? '' })}, {name}: {poundsText(before.pence)} before,{' '}
        {poundsText(now.pence)} now
      </caption>
      <HeadRow names={['Why', 'Difference', ...(isOfShare ? ['Your share'] : [])]} />
      <tbody>
        {[...differences, { ...all, because: 'Difference' }].map(({ because, pence, sharePence }, index) => (
          <tr key={index}>
            <th scope="row">{because}</th>
            <td>{poundsText(pence)}</td>
            {isOfShare && <td>{poundsText(sharePence)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
