/** The text of the button to the step that sends: only entries that are new are sent. */
import { newEntries } from '../../../typescript/match/compared.ts';
import { counted } from '../../page/format.ts';
import type { ImportState } from '../state.ts';

export function goOnText({ compared }: Pick<ImportState, 'compared'>): string {
  if (!compared) return 'Go on';
  const { length } = newEntries(compared.entries, compared.comparison);
  return `Go on with ${counted(length, 'new entry', 'new entries')}`;
}
