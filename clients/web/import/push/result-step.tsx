/** The Result step: created and known entries, and differences between file and books. */
import { useEffect, useState } from 'preact/hooks';
import type { EntryType } from '../../../typescript/import/options.ts';
import type { StoredEntry } from '../../../typescript/match/stored-books.ts';
import { takenText } from '../../../typescript/push/outcomes.ts';
import { keyProblem, type Session } from '../../key/session.ts';
import { Announcement } from '../../page/announcement.tsx';
import { download } from '../../page/download.ts';
import { count, counted } from '../../page/format.ts';
import { StepHeading } from '../../page/step-heading.tsx';
import { TextList } from '../../page/text-list.tsx';
import { TotalLine } from '../../page/total.tsx';
import { LeftOutInBooks } from '../check/left-out.tsx';
import { OtherSheets } from '../check/other-sheets.tsx';
import type { ViewProps } from '../importer.ts';
import { countsOfPush, outcomesByEntry, type PushState, reportOf } from '../push-state.ts';
import { ReconciliationCard } from '../reconcile/reconciliation-card.tsx';
import { invalidRows, nameOfFiles, rowLabel, targetOf } from '../selectors.ts';
import { workbooksOf } from '../sheets.ts';
import type { ImportState } from '../state.ts';
import { Conflicts, readStored } from './conflicts.tsx';

export function ResultStep({ importer, state, session }: ViewProps & { session: Session }) {
  const { push, files, pushedFiles, categorising } = state;
  if (!push) return null;
  const { created, known, conflicts, taken, remaining } = countsOfPush(push);
  const saveReport = () => {
    const name = files.length === 1 ? nameOfFiles(push.shown.files).replace(/\.\w+$/, '') : 'import';
    download(`${name}-report.csv`, reportOf(push), 'text/csv;charset=utf-8');
  };
  const text = `${counted(created, 'entry was', 'entries were')} created, ${count(known)} already in the books, ${count(conflicts)} different in the books.`;
  return (
    <div class="stack">
      <section class="card" aria-labelledby="step-title">
        <StepHeading>{headingOf(remaining, conflicts, taken, targetOf(state))}</StepHeading>
        <OutcomeList push={push} files={files} />
        {taken > 0 && <TakenRows push={push} state={state} />}
        <OtherSheets workbooks={workbooksOf(files)} pushedFiles={pushedFiles} />
        <LeftOutInBooks leftOut={push.shown.leftOutAndStored} rules={categorising.rules} />
        <p class="note">
          Importing again is safe. The same file, or an export that overlaps it, creates only what the books
          do not have yet.
        </p>
        <div class="actions">
          <button type="button" class="primary" onClick={importer.startAgain}>
            Import other files
          </button>
          <button type="button" onClick={saveReport}>
            Download the report (CSV)
          </button>
          {remaining > 0 && (
            <button type="button" onClick={() => importer.go('push')}>
              Go on with the rest
            </button>
          )}
        </div>
        <Announcement text={text} />
      </section>
      {conflicts > 0 && <ConflictsOf state={state} push={push} session={session} />}
      {pushedFiles.length > 0 && <ReconciliationCard importer={importer} state={state} session={session} />}
    </div>
  );
}

/** The rows by their outcome. */
function OutcomeList({ push, files }: Pick<ImportState, 'files'> & { push: PushState }) {
  const { created, known, conflicts, elsewhere, taken, probable, remaining, unknown } = countsOfPush(push);
  const { toCorrect, withoutProperty } = invalidRows(files.map(({ result }) => result));
  const isPerhapsOwn = push.wasUnreachable && known > 0;
  const others: [rows: number, name: string, note: string, type?: EntryType][] = [
    [elsewhere, 'In another property', 'not created here'],
    [taken, 'Not stored', 'other entries have the references', 'expense'],
    [probable, 'Probably in the books', 'not sent; import again to decide'],
    [toCorrect + withoutProperty, 'With problems', 'rows that were not sent'],
    [unknown, 'Unknown', 'perhaps in the books; import again to see'],
    [remaining - unknown, 'Not sent', 'import again to send them'],
  ];
  return (
    <dl class="totals">
      <TotalLine name="Created" type="income" value={count(created)} note="new in the books" />
      <TotalLine
        name="Already in the books"
        value={count(known)}
        note={isPerhapsOwn ? 'perhaps by this import, when responses were lost' : 'not created again'}
      />
      <TotalLine
        name="Different in the books"
        type={conflicts > 0 ? 'expense' : undefined}
        value={count(conflicts)}
        note={conflicts > 0 ? 'the books stand as they are' : 'file and books agree'}
      />
      {others.map(
        ([rows, name, note, type]) =>
          rows > 0 && <TotalLine key={name} name={name} type={type} value={count(rows)} note={note} />,
      )}
    </dl>
  );
}

function headingOf(remaining: number, conflicts: number, taken: number, target: string): string {
  if (remaining > 0) return 'Cancelled before the end';
  if (taken > 0) return `${counted(taken, 'entry is', 'entries are')} not stored`;
  if (conflicts > 0) return `Done: ${counted(conflicts, 'entry differs', 'entries differ')} from the books`;
  return `Done: the entries are in the books of ${target}`;
}

const TAKEN_SHOWN = 20;

/** Rows whose references belong to other entries. */
function TakenRows({ push, state }: Pick<ConflictsProps, 'push' | 'state'>) {
  const texts = outcomesByEntry(push).flatMap(({ read, outcome }) =>
    outcome.status === 'taken' ? `Row ${rowLabel(state, read)}: ${takenText(outcome)}` : [],
  );
  return (
    <div class="note bad">
      <TextList texts={texts} max={TAKEN_SHOWN} more="more row" />
    </div>
  );
}

interface ConflictsProps {
  state: ImportState;
  push: PushState;
  session: Session;
}

function ConflictsOf({ state, push, session }: ConflictsProps) {
  const [stored, setStored] = useState<ReadonlyMap<string, StoredEntry>>();
  const [problem, setProblem] = useState<string>();
  const pairs = outcomesByEntry(push).flatMap(({ read, outcome }) =>
    outcome.status === 'conflict'
      ? { ...read, ...outcome, rowLabel: rowLabel(state, read), source: read.source ?? push.shown.source }
      : [],
  );
  useEffect(() => {
    const own = new Set(pairs.flatMap(({ source }) => source?.id ?? []));
    const sources = [...session.sources].sort(
      (one, two) => Number(own.has(two.id)) - Number(own.has(one.id)),
    );
    const ids = new Set(pairs.map(({ id }) => id));
    readStored(session.ledger, sources, ids).then(setStored, (error) => setProblem(keyProblem(error)));
  }, []);
  return (
    <section class="card" aria-labelledby="conflicts-title">
      <h3 id="conflicts-title">Entries that differ from the books</h3>
      <p class="hint">
        The books have another content than these rows. They stay as they are. If the file is right, change
        the entry in the app: the reconciliation below lists such corrections.
      </p>
      {problem && <p class="note bad">{problem}</p>}
      <Conflicts pairs={pairs} stored={stored} state={state} />
    </section>
  );
}
