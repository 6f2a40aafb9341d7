/** Whether each row of the pushed files is accounted for in the books, and each entry of the books comes from a row. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { ImportError } from '../../../typescript/import/import-error.ts';
import { appChangesCsv } from '../../../typescript/reconciliation/app-changes.ts';
import {
  conclusionText,
  failureReason,
  goneText,
  HOW_TO_MEND,
  OUTCOME_TEXTS,
  outcomesText,
} from '../../../typescript/reconciliation/outcome-texts.ts';
import { FAILURES, type Reconciliation } from '../../../typescript/reconciliation/reconciliation.ts';
import { keyProblem, type Session } from '../../key/session.ts';
import { Announcement, ProblemNote } from '../../page/announcement.tsx';
import { download } from '../../page/download.ts';
import { amountInCurrency, capitalised, count, counted, dateText, poundsText } from '../../page/format.ts';
import { HeadRow, Scrolling } from '../../page/table.tsx';
import { inWords } from '../../page/words.ts';
import { Balances } from '../check/balances.tsx';
import { OtherSheets } from '../check/other-sheets.tsx';
import type { ViewProps } from '../importer.ts';
import { type Reconciled, reconcilePushed } from './reconcile-pushed.ts';

export function ReconciliationCard({ importer, state, session }: ViewProps & { session: Session }) {
  const [reconciled, setReconciled] = useState<Reconciled>();
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const { pushedFiles } = state;
  const reconcile = async () => {
    setBusy(true);
    setProblem('');
    try {
      setReconciled(await reconcilePushed(session, importer.state.peek(), importer.readerOf));
    } catch (error) {
      setReconciled(undefined);
      setProblem(error instanceof ImportError ? inWords(error.message) : keyProblem(error));
    }
    setBusy(false);
  };
  const { reconciliation, corrections = [], keys } = reconciled ?? {};
  const sayBoth = (id: string) => {
    const key = keys?.get(id);
    if (isBusy || key === undefined) return;
    importer.decideByKey(key, 'send');
    void reconcile();
  };
  const saveCorrections = () =>
    download('corrections.csv', appChangesCsv(corrections), 'text/csv;charset=utf-8');
  const save = () =>
    download('reconciliation.json', `${JSON.stringify(reconciliation, null, 2)}\n`, 'application/json');
  const files = pushedFiles.length === 1 ? 'this file' : `these ${count(pushedFiles.length)} files`;
  return (
    <section class="card" aria-labelledby="reconciliation-title" aria-busy={isBusy}>
      <h3 id="reconciliation-title">Reconciliation</h3>
      <p class="hint">
        Is each row of {files} in the books or left out, does each balance follow, and does each entry of the
        period come from a row? Your changes of rows count.
      </p>
      <ProblemNote text={problem} />
      {reconciliation && <OtherSheets workbooks={pushedFiles} />}
      {reconciliation && <ReconciliationResult reconciliation={reconciliation} onBoth={sayBoth} />}
      {corrections.length > 0 && (
        <p>
          {counted(corrections.length, 'entry has', 'entries have')} to be looked at in the app. The list says
          what to change, and why. When that is done, reconcile again: then nothing is listed.
        </p>
      )}
      <div class="actions">
        <button type="button" aria-disabled={isBusy} onClick={() => !isBusy && void reconcile()}>
          {isBusy ? 'Reading the books…' : `Reconcile ${files}`}
        </button>
        {corrections.length > 0 && (
          <button type="button" onClick={saveCorrections}>
            Download the corrections (CSV)
          </button>
        )}
        {reconciliation && (
          <button type="button" onClick={save}>
            Download the reconciliation (JSON)
          </button>
        )}
      </div>
      <Announcement text={isBusy || !reconciliation ? '' : inWords(conclusionText(reconciliation))} />
    </section>
  );
}

const RECONCILED_ROWS_MAX = 200;

function ReconciliationResult({
  reconciliation,
  onBoth,
}: {
  reconciliation: Reconciliation;
  onBoth: (id: string) => void;
}) {
  const { isReconciled, files, sources, otherEntries, gone } = reconciliation;
  const nameOf = (id: string) => sources.find((source) => source.id === id)?.name;
  const failed = files.flatMap(({ name, rows }) =>
    rows.filter(({ outcome }) => FAILURES.includes(outcome)).map((row) => ({ ...row, name })),
  );
  return (
    <>
      <p class={`note ${isReconciled ? 'good' : 'bad'}`}>{inWords(conclusionText(reconciliation))}</p>
      <dl class="reconciled-files">
        {files.map(({ name, rows, balances }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {capitalised(inWords(outcomesText(rows)))}.
              <Balances balances={balances} isComplete />
            </dd>
          </div>
        ))}
      </dl>
      <ReconciledRows
        title={`${counted(failed.length, 'row')} not accounted for`}
        columns={['File', 'Row', 'Date', 'Amount', 'Description', 'State', 'Why']}
        rows={failed.map(({ name, row, outcome, date, pence, currency, description, ...more }) => [
          name,
          count(row),
          date && dateText(date),
          pence !== undefined && amountInCurrency(pence, currency),
          description,
          inWords(OUTCOME_TEXTS[outcome]),
          inWords(failureReason(more)),
        ])}
      />
      {failed.some(({ entriesOfDay }) => entriesOfDay) && <p class="hint">{HOW_TO_MEND}</p>}
      <ReconciledRows
        title={`${counted(gone.length, 'entry', 'entries')} not proved`}
        columns={['Property or business', 'Date', 'Type', 'Amount', 'Description', 'Why', 'Decision']}
        rows={gone.map((each) => [
          nameOf(each.sourceId),
          dateText(each.date),
          capitalised(each.type),
          poundsText(each.amountPence),
          each.description,
          goneText(each),
          !each.isCertain && !each.other && (
            <button type="button" class="quiet small" onClick={() => onBoth(each.id)}>
              {each.row === undefined ? 'Of another list' : 'Both are payments'}
            </button>
          ),
        ])}
      />
      <ReconciledRows
        title={`${counted(otherEntries.length, 'entry', 'entries')} of the books that these files do not have`}
        columns={['Property or business', 'Date', 'Type', 'Amount', 'Description']}
        rows={otherEntries.map(({ sourceId, date, type, amountPence, description }) => [
          nameOf(sourceId),
          dateText(date),
          capitalised(type),
          poundsText(amountPence),
          description,
        ])}
      />
    </>
  );
}

interface RowsProps {
  title: string;
  columns: readonly string[];
  rows: readonly ComponentChildren[][];
}

function ReconciledRows({ title, columns, rows }: RowsProps) {
  if (rows.length === 0) return null;
  return (
    <>
      <Scrolling class="wide-table" label={title}>
        <table>
          <caption>{title}</caption>
          <HeadRow names={columns} />
          <tbody>
            {rows.slice(0, RECONCILED_ROWS_MAX).map((cells, index) => (
              <tr key={index}>
                {columns.map((column, at) => (
                  <td key={column}>{cells[at]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolling>
      {rows.length > RECONCILED_ROWS_MAX && (
        <p class="hint">{counted(rows.length - RECONCILED_ROWS_MAX, 'more is', 'more are')} in the file.</p>
      )}
    </>
  );
}
