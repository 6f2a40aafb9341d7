/** The page: its header, its two tabs, and the key that both need. */
import { useCallback, useEffect, useState } from 'preact/hooks';
import { BooksView } from './books/books.tsx';
import type { Query } from './books/books-reader.ts';
import type { KeptRules } from './books/kept-rules.ts';
import { Import } from './import/import.tsx';
import { KeyStep } from './key/key-step.tsx';
import { readOnlyNotice, type Session } from './key/session.ts';
import { onWindow } from './page/browser.ts';
import { capitalised } from './page/format.ts';

const TABS = [
  { id: 'import', name: 'Import' },
  { id: 'books', name: 'Books' },
] as const;
type Tab = (typeof TABS)[number]['id'];

export function App() {
  const [tab, setTab] = useState<Tab>('import');
  const [session, setSession] = useState<Session>();
  const [notice, setNotice] = useState<string>();
  const [pushed, setPushed] = useState<Query>();
  const [rules, setRules] = useState<KeptRules>({ text: '' });

  const readsOnly = session && readOnlyNotice(session);
  const onOpen = (opened: Session) => {
    setNotice(undefined);
    setPushed(undefined);
    setSession(opened);
  };
  // Otherwise the Back button would bring a page with the key back, after another site.
  useEffect(() => onWindow('pagehide', ({ persisted }) => persisted && setSession(undefined)), []);
  const onKeyRefused = useCallback((reason: string) => {
    setNotice(reason);
    setSession(undefined);
  }, []);

  return (
    <>
      <header class="top">
        <h1>Bookkeeping Ledger</h1>
        <Tabs chosen={tab} onChoose={setTab} />
        {session && <AccountOf session={session} onLeave={() => setSession(undefined)} />}
      </header>
      <main>
        <div role="tabpanel" id="panel-import" aria-labelledby="tab-import" hidden={tab !== 'import'}>
          <Import
            session={readsOnly ? undefined : session}
            keyStep={tab === 'import' && <KeyStep notice={readsOnly ?? notice} onOpen={onOpen} />}
            onPushed={setPushed}
            onRules={setRules}
            onKeyRefused={onKeyRefused}
          />
        </div>
        <div role="tabpanel" id="panel-books" aria-labelledby="tab-books" hidden={tab !== 'books'}>
          {session ? (
            <BooksView
              ledger={session.ledger}
              sources={session.sources}
              pushed={pushed}
              rules={rules}
              isShown={tab === 'books'}
            />
          ) : (
            tab === 'books' && <KeyStep notice={notice} onOpen={onOpen} />
          )}
        </div>
      </main>
    </>
  );
}

/** One stop of the Tab key; the arrows choose. */
function Tabs({ chosen, onChoose }: { chosen: Tab; onChoose: (tab: Tab) => void }) {
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const index = TABS.findIndex(({ id }) => id === chosen);
    const next = TABS[(index + step + TABS.length) % TABS.length];
    if (!next) return;
    onChoose(next.id);
    document.getElementById(`tab-${next.id}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label="Pages">
      {TABS.map(({ id, name }) => (
        <button
          key={id}
          id={`tab-${id}`}
          type="button"
          role="tab"
          aria-selected={id === chosen}
          aria-controls={`panel-${id}`}
          tabIndex={id === chosen ? 0 : -1}
          onClick={() => onChoose(id)}
          onKeyDown={move}
        >
          {name}
        </button>
      ))}
    </div>
  );
}

function AccountOf({ session, onLeave }: { session: Session; onLeave: () => void }) {
  const { accountId, plan } = session.account;
  return (
    <div class="account">
      <span class="badge" title={`Account ${accountId}`}>
        {capitalised(plan)} plan
      </span>
      <button type="button" class="quiet" onClick={onLeave}>
        Change key
      </button>
    </div>
  );
}
