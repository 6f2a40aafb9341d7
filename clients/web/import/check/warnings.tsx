/** What to look at before the import: dates that seem to be mistyped, broken characters, and entries that other sources have. */
import type { ComparedFiles } from '../../../typescript/match/compare.ts';
import { entryElsewhere } from '../../../typescript/match/compared-entry.ts';
import { counted } from '../../page/format.ts';
import { rowLabel } from '../selectors.ts';
import type { ImportState } from '../state.ts';

interface Props {
  state: ImportState;
  compared: ComparedFiles | undefined;
}

const WARNINGS_SHOWN_MAX = 10;

export function Warnings({ state, compared }: Props) {
  const warnings = state.files.flatMap(({ file, result }) =>
    (result?.warnings ?? []).map((warning) => ({ ...warning, file: file.name })),
  );
  const texts = compared ? otherSources(compared) : [];
  if (warnings.length === 0 && texts.length === 0) return null;
  return (
    <div class="note warning">
      <ul class="warnings">
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
        {warnings.slice(0, WARNINGS_SHOWN_MAX).map((warning) => (
          <li key={`${rowLabel(state, warning)} ${warning.message}`}>
            Row {rowLabel(state, warning)}: {warning.message}
          </li>
        ))}
        {warnings.length > WARNINGS_SHOWN_MAX && (
          <li>{counted(warnings.length - WARNINGS_SHOWN_MAX, 'more row')} to look at.</li>
        )}
      </ul>
    </div>
  );
}

/** One text for each other source that has equal entries, or the entries themselves. */
function otherSources({ entries, wrongSource }: ComparedFiles): string[] {
  const equal = new Map<string, number>();
  const elsewhere = new Map<string, number>();
  for (const entry of entries) {
    const source = entryElsewhere(entry)?.source;
    if (!source || source.id === wrongSource?.source.id) continue;
    const counts = entry.matchStatus === 'elsewhere' ? elsewhere : equal;
    counts.set(source.name, (counts.get(source.name) ?? 0) + 1);
  }
  return [
    ...[...equal].map(
      ([name, rows]) =>
        `${counted(rows, 'row is equal to an entry', 'rows are equal to entries')} of ${name}. ${rows === 1 ? 'It is' : 'They are'} created here too.`,
    ),
    ...[...elsewhere].map(
      ([name, rows]) =>
        `${counted(rows, 'row is', 'rows are')} in ${name}, by the reference in the file, and ${rows === 1 ? 'is' : 'are'} not imported here.`,
    ),
  ];
}
