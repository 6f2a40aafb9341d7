/** The first step: the API key, which opens the session. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { keyProblem, openSession, type Session } from './session.ts';

interface Props {
  /** Why a key is needed again; undefined for the first one. */
  notice: string | undefined;
  onOpen: (session: Session) => void;
}

export function KeyStep({ notice, onOpen }: Props) {
  // The field is read when it is needed, so that no state of the page holds the key.
  const field = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  useLayoutEffect(() => field.current?.focus(), []);

  const open = async () => {
    const key = field.current?.value.trim() ?? '';
    if (isBusy) return;
    if (key === '') {
      setProblem('Paste your API key here.');
      field.current?.focus();
      return;
    }
    setBusy(true);
    setProblem(undefined);
    try {
      onOpen(await openSession(location.origin, key));
      // The step stays if the key reads only.
      if (field.current) field.current.value = '';
    } catch (error) {
      setProblem(keyProblem(error));
      field.current?.focus();
    }
    setBusy(false);
  };

  return (
    <section class="card narrow" aria-labelledby="key-title">
      <h2 id="key-title">Your API key</h2>
      {notice && (
        <p class="note warning" role="alert">
          {notice}
        </p>
      )}
      <p>
        The key opens your books to this page. It stays in the memory of this tab and is gone when you close
        it.
      </p>
      <div class="field">
        <label for="key">API key</label>
        <input
          id="key"
          ref={field}
          type="password"
          autocomplete="off"
          spellcheck={false}
          aria-invalid={problem !== undefined}
          aria-describedby="key-problem key-help"
          onInput={() => problem && setProblem(undefined)}
          onKeyDown={(event) => event.key === 'Enter' && open()}
        />
        <p id="key-problem" class="problem" aria-live="polite">
          {problem}
        </p>
      </div>
      <div class="actions">
        <button type="button" class="primary" aria-busy={isBusy} onClick={open}>
          {isBusy ? 'Connecting…' : 'Connect'}
        </button>
      </div>
      <p id="key-help" class="hint">
        You make keys in the app, under Account, API access. A key is shown once, when it is made.{' '}
        <a href="/api/v1/docs#description/keys-and-requests" target="_blank" rel="noreferrer">
          More about keys
        </a>
      </p>
    </section>
  );
}
