/** The Result step: what was created, what was known, and where file and books differ. */
import { useEffect, useState } from 'preact/hooks';
import type { CategorySet, Transaction } from '../../../typescript/index.ts';
import { keyProblem, type Session } from '../../key/session.ts';
import { Announcement } from '../../page/announcement.tsx';
import { download } from '../../page/download.ts';
import { count, counted } from '../../page/format.ts';
import { StepHeading } from '../../page/step-heading.tsx';
import { Total } from '../../page/total.tsx';
import { LeftOutInBooks } from '../check/left-out.tsx';
import type { Importer } from '../importer.ts';
import { ProofCard } from '../prove/proof-card.tsx';
import { countsOf, type Sending, settled } from '../sending.ts';
import { categoriesOf, type ImportState, invalidRows, targetOf } from '../state.ts';
import { Conflicts, readStored } from './conflicts.tsx';
import { reportCsv } from './report.ts';

interface Props {
  importer: Importer;
  state: ImportState;
  session: Session;
}

export function ResultStep({ importer, state, session }: Props) {
  const { sending, result, file } = state;
  if (!sending || !result) return null;
  const { created, known, conflicts, elsewhere, probable, remaining } = countsOf(sending);
  const invalid = invalidRows(result);
  const saveReport = () => {
    const csv = reportCsv(sending);
    const name = (file?.name ?? 'import').replace(/\.\w+$/, '');
    download(`${name}-report.csv`, csv, 'text/csv;charset=utf-8');
  };
  const text = `${counted(created, 'entry was', 'entries were')} created, ${count(known)} already in the books, ${counted(conflicts, 'conflict')}.`;
  return (
    <div class="stack">
      <section class="card" aria-labelledby="step-title">
        <StepHeading>{headingOf(remaining, conflicts, targetOf(state))}</StepHeading>
        <dl class="totals">
          <Total name="Created" type="income" value={count(created)} note="new in the books" />
          <Total
            name="Already in the books"
            value={count(known)}
            note={
              sending.wasUnreachable && known > 0
                ? 'perhaps by this import, when responses were lost'
                : 'not created again'
            }
          />
          <Total
            name="Conflicts"
            type={conflicts > 0 ? 'expense' : undefined}
            value={count(conflicts)}
            note={conflicts > 0 ? 'the books stand as they are' : 'file and books agree'}
          />
          {elsewhere > 0 && (
            <Total name="In another property" value={count(elsewhere)} note="not created here" />
          )}
          {probable > 0 && (
            <Total name="Left out" value={count(probable)} note="you know them as entries of the books" />
          )}
          {invalid > 0 && (
            <Total name="With problems" value={count(invalid)} note="rows that were not sent" />
          )}
          {remaining > 0 && (
            <Total name="Not sent" value={count(remaining)} note="import again to send them" />
          )}
        </dl>
        <LeftOutInBooks leftOut={sending.shown.leftOut} rules={state.categorising.rules} />
        <p class="note">
          Importing again is safe. The same file, or an export that overlaps it, creates only what the books
          do not have yet.
        </p>
        <div class="actions">
          {state.waiting.length > 0 ? (
            <button type="button" class="primary" onClick={() => void importer.openNext()}>
              Next file: {state.waiting[0]?.name}
            </button>
          ) : (
            <button type="button" class="primary" onClick={importer.startAgain}>
              Import another file
            </button>
          )}
          <button type="button" onClick={saveReport}>
            Download the report (CSV)
          </button>
          {remaining > 0 && (
            <button type="button" onClick={() => importer.go('send')}>
              Go on with the rest
            </button>
          )}
        </div>
        <Announcement text={text} />
      </section>
      {conflicts > 0 && <ConflictsOf sending={sending} session={session} categories={categoriesOf(state)} />}
      {state.imported.length > 0 && <ProofCard importer={importer} state={state} session={session} />}
    </div>
  );
}

function headingOf(remaining: number, conflicts: number, target: string): string {
  if (remaining > 0) return 'Cancelled before the end';
  if (conflicts > 0) return `Done: ${counted(conflicts, 'conflict')} to look at`;
  return `Done: the entries are in the books of ${target}`;
}

interface ConflictsProps {
  sending: Sending;
  session: Session;
  categories: CategorySet | undefined;
}

function ConflictsOf({ sending, session, categories }: ConflictsProps) {
  const [stored, setStored] = useState<Map<string, Transaction>>();
  const [problem, setProblem] = useState<string>();
  const pairs = settled(sending).flatMap(({ read, outcome }) =>
    outcome.status === 'conflict' ? [{ ...read, ...outcome }] : [],
  );
  useEffect(() => {
    const own = new Set(pairs.flatMap(({ source }) => source?.id ?? sending.shown.source?.id ?? []));
    const sources = new Set([...own, ...session.sources.map(({ id }) => id)]);
    const ids = new Set(pairs.map(({ id }) => id));
    readStored(session.ledger, [...sources], ids).then(setStored, (error) => setProblem(keyProblem(error)));
  }, []);
  return (
    <section class="card" aria-labelledby="conflicts-title">
      <h3 id="conflicts-title">Conflicts: the file against the books</h3>
      <p class="hint">
        The books have another content than these rows. They stay as they are. If the file is right, change
        the entry in the app: the proof below lists such corrections.
      </p>
      {problem && <p class="note bad">{problem}</p>}
      <Conflicts pairs={pairs} stored={stored} categories={categories} />
    </section>
  );
}
