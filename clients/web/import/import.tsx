/** The Import tab: five steps from a file to entries in the books. */
import type { ComponentChildren } from 'preact';
import { type Session, sourceTypeName } from '../session.ts';
import { Steps } from './steps.tsx';

export interface ImportProps {
  /** Undefined: a key is needed. What was read and edited stays. */
  session: Session | undefined;
  keyStep: ComponentChildren;
  /** The key has stopped working. */
  onKeyRefused: (reason: string) => void;
}

export function Import({ session, keyStep }: ImportProps) {
  return (
    <>
      <Steps current={session ? 'file' : 'key'} />
      {session ? <Sources session={session} /> : keyStep}
    </>
  );
}

function Sources({ session }: { session: Session }) {
  return (
    <section class="card narrow" aria-labelledby="sources-title">
      <h2 id="sources-title">Your sources</h2>
      <ul class="sources">
        {session.sources.map(({ id, name, type }) => (
          <li key={id}>
            <strong>{name}</strong> <span class="hint">{sourceTypeName(type)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
