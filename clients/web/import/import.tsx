/** The Import tab: five steps from a file to entries in the books. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Query } from '../books/books-reader.ts';
import type { KeptRules } from '../books/kept-rules.ts';
import type { Session } from '../key/session.ts';
import { onWindow } from '../page/browser.ts';
import { CheckStep } from './check/check-step.tsx';
import { FileStep } from './file/file-step.tsx';
import { importsByAccount } from './imports-by-account.ts';
import { PushStep } from './push/push-step.tsx';
import { ResultStep } from './push/result-step.tsx';
import { readerIn } from './reader.ts';
import { isWorkAtRisk, targetSources } from './selectors.ts';
import type { Step } from './state.ts';

/** The address of the worker's script, which the build writes into the page: its name has a hash. */
const READER_URL = document.querySelector<HTMLMetaElement>('meta[name=reader]')?.content ?? '';

interface ImportProps {
  /** Undefined: a key is needed. Files and edits stay. */
  session: Session | undefined;
  keyStep: ComponentChildren;
  /** Entries were sent: the property or business, and the period of the entries. */
  onPushed: (query: Query) => void;
  /** Called with the rules when they change. */
  onRules: (rules: KeptRules) => void;
  /** Called when the key has stopped working. */
  onKeyRefused: (reason: string) => void;
}

export function Import({ session, keyStep, onPushed, onRules, onKeyRefused }: ImportProps) {
  const [workOf] = useState(() =>
    importsByAccount({ onKeyRefused, readerOf: readerIn(READER_URL), storage: () => localStorage }),
  );
  const { importer, suggesting } = workOf(session);
  const state = importer.state.value;
  const suggestions = suggesting.suggestions.value;
  const warnIfAtRisk = (event: Event) => isWorkAtRisk(importer.state.peek()) && event.preventDefault();
  useEffect(() => {
    importer.setSession(session);
    suggesting.setSession(session);
  }, [importer, suggesting, session]);
  useEffect(() => onWindow('beforeunload', warnIfAtRisk), [importer]);
  useEffect(() => onWindow('online', importer.retryNow), [importer]);
  // Otherwise a file that misses its place would replace the page.
  useEffect(() => onWindow('dragover', preventDefault), []);
  useEffect(() => onWindow('drop', preventDefault), []);
  useEffect(() => {
    if (state.step !== 'result') return;
    const days = state.merged.entries.map(({ entry }) => entry.date).sort();
    onPushed({ sources: targetSources(state), from: days[0], to: days.at(-1) });
  }, [state.step]);
  const { rules } = state.categorising;
  const isPushing = state.step === 'push';
  useEffect(
    () =>
      onRules({
        text: rules,
        change: isPushing ? undefined : (text) => void importer.setCategorising({ rules: text }),
      }),
    [importer, rules, isPushing],
  );
  const step = session ? state.step : 'key';
  return (
    <>
      <Steps current={step} />
      {step === 'key' && keyStep}
      {session && step === 'file' && <FileStep importer={importer} state={state} sources={session.sources} />}
      {session && step === 'check' && (
        <CheckStep importer={importer} state={state} suggestions={suggestions} />
      )}
      {session && step === 'push' && <PushStep importer={importer} state={state} />}
      {session && step === 'result' && <ResultStep importer={importer} state={state} session={session} />}
    </>
  );
}

const preventDefault = (event: Event) => event.preventDefault();

const STEPS = [
  { id: 'key', name: 'Key' },
  { id: 'file', name: 'File' },
  { id: 'check', name: 'Check' },
  { id: 'push', name: 'Import' },
  { id: 'result', name: 'Result' },
] as const;

/** The list of the five steps, with the current one marked. */
function Steps({ current }: { current: 'key' | Step }) {
  const at = STEPS.findIndex(({ id }) => id === current);
  return (
    <ol class="steps" aria-label="Steps of the import">
      {STEPS.map(({ id, name }, index) => (
        <li key={id} class={index < at ? 'done' : ''} aria-current={index === at ? 'step' : undefined}>
          <span class="number" aria-hidden="true">
            {index < at ? '✓' : index + 1}
          </span>
          {name}
        </li>
      ))}
    </ol>
  );
}
