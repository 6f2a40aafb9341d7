/** The figures of a tax year and a quarter: of each business, first what has no category. Each figure opens to its entries. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { type Days, ukDay } from '../../../typescript/days.ts';
import type { Ledger, Source } from '../../../typescript/index.ts';
import { onWindow } from '../../page/browser.ts';
import { counted, dateText, periodText, poundsText } from '../../page/format.ts';
import { type BooksState, createReader, type Query } from '../books-reader.ts';
import type { KeptRules } from '../kept-rules.ts';
import { taxYearLabel } from '../periods.ts';
import { Progress } from '../reading-progress.tsx';
import { BusinessCard } from './business-card.tsx';
import { Checks } from './checks.tsx';
import { FiguresFiles } from './figures-files.tsx';
import { FiguresForm } from './figures-form.tsx';
import {
  choiceOf,
  daysOfYear,
  type FiguresChoice,
  figuresOfChoice,
  statedFactsIn,
  type Unsorted,
} from './figures-of-choice.ts';
import { type Figure, FigureButton, type FiguresPlace, OpenedFigure } from './opened-figure.tsx';
import { Updates } from './updates.tsx';

interface FiguresProps {
  ledger: Ledger;
  sources: readonly Source[];
  /** After an import the books are read again. */
  pushed: Query | undefined;
  rules: KeptRules;
  isShown: boolean;
}

export function Figures({ ledger, sources, pushed, rules, isShown }: FiguresProps) {
  const reader = useMemo(() => createReader(ledger), [ledger, pushed]);
  const state = reader.state.value;
  const [choice, setChoice] = useState(() => choiceOf(ukDay()));
  const { start } = choice;
  const read = () => void reader.read({ sources, ...daysOfYear(start) });
  useEffect(() => reader.cancel, [reader]);
  useEffect(() => {
    if (isShown && reader.state.peek().query?.from !== daysOfYear(start).from) read();
  }, [isShown, reader, start]);
  const isOfYear = state.query?.from === daysOfYear(start).from;
  return (
    <>
      <FiguresForm choice={choice} onChoose={setChoice} onRead={read} />
      <Progress state={state} onCancel={reader.cancel} />
      {isOfYear && state.isComplete && (
        <FiguresFound
          state={state}
          sources={sources}
          choice={choice}
          rules={rules}
          onChoose={setChoice}
          key={JSON.stringify({ ...choice, lastYear: undefined })}
        />
      )}
      {isOfYear && !state.isComplete && state.status !== 'reading' && (
        <p class="note warning">
          Not all entries of the year were read, so there are no figures. Press “Show figures” to read them
          again; of a year with more than 100,000 entries, the command <code>ledger figures</code> has them.
        </p>
      )}
    </>
  );
}

interface FoundProps extends Pick<FiguresProps, 'sources' | 'rules'> {
  state: BooksState;
  choice: FiguresChoice;
  onChoose: (choice: FiguresChoice) => void;
}

function FiguresFound({ state, sources, choice, rules, onChoose }: FoundProps) {
  const { entries, labels, categories } = state;
  const { text, change } = rules;
  const stated = useMemo(() => statedFactsIn(text, sources, categories), [text, sources, categories]);
  const figures = useMemo(
    () => figuresOfChoice({ entries, labels }, sources, choice, ukDay(), stated.facts),
    [entries, labels, sources, choice, stated],
  );
  const [opened, setOpened] = useState<Figure>();
  useOpenForPrint('details.figures-parts');
  const { year, unsorted, businesses, question } = figures;
  const { periods, beyond, checks } = year;
  const add = (line: string) => change?.(`${text.trimEnd()}\n${line}\n`.trimStart());
  const open = (figure: Figure) => setOpened(opened?.name === figure.name ? undefined : figure);
  const openedIn = (part: string) =>
    opened?.part === part && (
      <OpenedFigure figure={opened} entries={entries} labels={labels} onClose={() => setOpened(undefined)} />
    );
  const updates = <Updates figures={figures} choice={choice} onChoose={onChoose} />;
  if (question !== undefined) return updates;
  return (
    <>
      {updates}
      {stated.problem !== undefined && (
        <p class="note warning">
          Refunds, shares, ids and sums of your rules are not in these figures, because the rules cannot be
          read. {stated.problem}
        </p>
      )}
      {beyond.map((text) => (
        <p class="note warning" key={text}>
          {text}
        </p>
      ))}
      {unsorted.length > 0 && (
        <section class="card">
          <UnsortedList unsorted={unsorted} part={UNSORTED} opened={opened} onOpen={open} />
          {openedIn(UNSORTED)}
        </section>
      )}
      {checks.length > 0 && (
        <section class="card" aria-label="Check first">
          <Checks checks={checks} part={CHECKS} opened={opened} onOpen={open} />
          {openedIn(CHECKS)}
        </section>
      )}
      {businesses.length === 0 && (
        <p class="card">
          There are no entries with a category in this tax year up to the end of the quarter.
        </p>
      )}
      {[...new Set(businesses.map(({ type }) => type))].map((type) => (
        <div key={type} class="stack figures-type">
          <p class="figures-paper">
            {paperTitle(choice, periods)} Nothing is submitted: you confirm and send quarterly updates in the
            app.
          </p>
          {businesses.map(
            (business, index) =>
              business.type === type && (
                <BusinessCard
                  key={business.name + index}
                  part={`${index}`}
                  business={business}
                  quarter={choice.quarter}
                  periods={periods}
                  opened={opened}
                  onOpen={open}
                  onState={change && add}
                >
                  {openedIn(`${index}`)}
                </BusinessCard>
              ),
          )}
        </div>
      ))}
      <FiguresFiles figures={figures} sources={sources} labels={labels} />
    </>
  );
}

/** The line at the top of each printed page. */
function paperTitle({ start, quarter }: FiguresChoice, [inQuarter, soFar]: readonly Days[]): string {
  const days = [inQuarter, soFar].map((each) => periodText(each?.from ?? '', each?.to ?? ''));
  return `Tax year ${taxYearLabel(start)}, quarter ${quarter}: ${days[0]}; update: ${days[1]}. Printed on ${dateText(ukDay())}.`;
}

const UNSORTED = 'unsorted';
const CHECKS = 'checks';

function UnsortedList({ unsorted, ...place }: FiguresPlace & { unsorted: readonly Unsorted[] }) {
  return (
    <div class="note warning">
      <p>
        <strong>These figures are not final.</strong> Entries without a category are in none of them. Sort
        them in the app, then press “Show figures” again.
      </p>
      <ul class="figures-unsorted">
        {unsorted.map(({ source, count, incomePence, expensePence, ids }) => {
          const name = `${source.name}, to be sorted in the app`;
          const entries = counted(count, 'entry', 'entries');
          return (
            <li key={source.id}>
              {source.name}:{' '}
              <FigureButton {...place} name={name} ids={ids} label={`${entries} of ${source.name}`}>
                {entries}
              </FigureButton>{' '}
              income {poundsText(incomePence)}, expense {poundsText(expensePence)}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** Prints closed disclosures with their content, and closes them again. @param selector of `details` elements */
function useOpenForPrint(selector: string): void {
  useEffect(() => {
    let opened: HTMLDetailsElement[] = [];
    const open = () => {
      opened = [...document.querySelectorAll<HTMLDetailsElement>(selector)].filter((each) => !each.open);
      for (const each of opened) each.open = true;
    };
    const close = () => {
      for (const each of opened) each.open = false;
    };
    const ends = [onWindow('beforeprint', open), onWindow('afterprint', close)];
    return () => {
      for (const end of ends) end();
    };
  }, [selector]);
}
