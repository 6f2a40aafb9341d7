/** The list of the five steps, with the current one marked. */
import type { Step } from './state.ts';

const STEPS = [
  { id: 'key', name: 'Key' },
  { id: 'file', name: 'File' },
  { id: 'check', name: 'Check' },
  { id: 'send', name: 'Import' },
  { id: 'result', name: 'Result' },
] as const;

export function Steps({ current }: { current: 'key' | Step }) {
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
