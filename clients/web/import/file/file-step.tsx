/** The File step: the property or business, the files, and how each was read. */
import { useState } from 'preact/hooks';
import { keptAnswersOf } from '../../../typescript/import/rules/kept-answers.ts';
import type { Source } from '../../../typescript/index.ts';
import { sourceTypeName } from '../../key/session.ts';
import { Announcement } from '../../page/announcement.tsx';
import { counted } from '../../page/format.ts';
import { Options } from '../../page/select.tsx';
import { StepHeading } from '../../page/step-heading.tsx';
import { OtherSheets } from '../check/other-sheets.tsx';
import { Unnamed } from '../check/row-questions.tsx';
import { RulesEditor } from '../check/rules.tsx';
import type { ViewProps } from '../importer.ts';
import { unlessInvalid } from '../kept-lines.ts';
import { workbooksOf } from '../sheets.ts';
import type { GivenFile, ImportState } from '../state.ts';
import { FileCard } from './file-card.tsx';
import { FileChooser } from './file-chooser.tsx';

interface Props extends ViewProps {
  sources: readonly Source[];
}

const BY_RULES = 'by-rules';

export function FileStep({ importer, state, sources }: Props) {
  const { source, isByRules, files, merged, isBusy } = state;
  const [isSourceMissing, setSourceMissing] = useState(false);
  const areRead = files.length > 0 && files.every(({ result, problem }) => result && !problem);
  const isChosen = source !== undefined || isByRules;
  const goOn = () => {
    if (isChosen) return importer.go('check');
    setSourceMissing(true);
    document.getElementById('source')?.focus();
  };
  return (
    <div class="stack file-step">
      <section class="card" aria-labelledby="step-title">
        <StepHeading>Choose a property or business and files</StepHeading>
        <SourceOfFile
          importer={importer}
          state={state}
          sources={sources}
          isMissing={isSourceMissing && !isChosen}
        />
        <FileChooser importer={importer} hasFiles={files.length > 0} />
      </section>
      {files.length > 0 && <ChosenFiles importer={importer} state={state} />}
      {files.some(({ problem }) => problem?.option === 'rules') && (
        <section class="card" aria-label="Rules">
          <RulesEditor importer={importer} state={state} suggestions={[]} />
        </section>
      )}
      <Announcement text={isBusy ? '' : fileAnnouncement(state)} />
      {areRead && !merged.unnamed && (
        <div class="actions end">
          <button type="button" class="primary" onClick={goOn}>
            Check the rows
          </button>
        </div>
      )}
    </div>
  );
}

/** The property or business that the entries belong to. @param isMissing the visitor wants to go on without one */
function SourceOfFile({ importer, state, sources, isMissing }: Props & { isMissing: boolean }) {
  const { source, isByRules, failure } = state;
  return (
    <div class="field source">
      <label for="source">Import into</label>
      <select
        id="source"
        value={isByRules ? BY_RULES : (source?.id ?? '')}
        aria-invalid={isMissing}
        aria-describedby="source-problem"
        onChange={({ currentTarget: { value } }) => importer.chooseSource(value === BY_RULES ? '' : value)}
      >
        <option value="" disabled>
          Choose one…
        </option>
        {sources.length > 1 && (
          <option value={BY_RULES}>Several – my rules or a column of the file say which</option>
        )}
        <Options of={sources.map((each) => [each.id, nameWithType(each)])} />
      </select>
      <p id="source-problem" class="problem">
        {isMissing ? 'Choose the property or business that the entries belong to.' : failure}
      </p>
    </div>
  );
}

/** The choices of one file at most are open, so that the step stays low: of the first one with a problem, or of the last one that a person has opened. */
function ChosenFiles({ importer, state }: ViewProps) {
  const { files, pushedFiles } = state;
  const withProblem = files.find(({ problem }) => problem);
  const [{ shown, hidden }, setShown] = useState<{ shown?: GivenFile; hidden?: GivenFile }>({});
  return (
    <section class="card files" aria-label="Chosen files">
      {files.map((opened, index) => (
        <FileCard
          key={opened.file}
          importer={importer}
          state={state}
          opened={opened}
          isShown={opened.file === shown || (opened === withProblem && opened.file !== hidden)}
          onShow={(isShown) => setShown(isShown ? { shown: opened.file } : { hidden: opened.file })}
          id={`file-${index + 1}`}
        />
      ))}
      <OtherSheets workbooks={workbooksOf(files)} pushedFiles={pushedFiles} importer={importer} />
      <AccountNames state={state} />
      <Unnamed state={state} />
    </section>
  );
}

/** `Villa Sol – Overseas property, ES` */
const nameWithType = ({ name, type, countryCode }: Source) =>
  [`${name} – ${sourceTypeName(type)}`, countryCode].filter(Boolean).join(', ');

function fileAnnouncement({ files, merged }: ImportState): string {
  const problem = files.find(({ problem }) => problem)?.problem;
  if (problem) return problem.message;
  if (files.length === 0) return '';
  const were = files.length === 1 ? 'The file was' : `${counted(files.length, 'file')} were`;
  return `${were} read: ${counted(merged.entries.length, 'entry', 'entries')}.`;
}

/** The names of bank accounts that the rules and the open files have, for the fields that ask for one. */
function AccountNames({ state: { categorising, closings, files } }: { state: ImportState }) {
  const kept = unlessInvalid(() => keptAnswersOf(categorising.rules)) ?? [];
  const names = new Set([
    ...closings.keys(),
    ...kept.flatMap(({ accounts }) => accounts),
    ...files.flatMap(({ balances }) => balances.map(({ account }) => account)),
  ]);
  return (
    <datalist id="account-names">
      {[...names].filter(Boolean).map((name) => (
        <option key={name} value={name} />
      ))}
    </datalist>
  );
}
