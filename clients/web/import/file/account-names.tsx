/** The names of bank accounts that the rules and the open files have, for the fields that ask for one. */
import { keptChoicesOf } from '../../../typescript/import/rules/kept-choices.ts';
import { unlessInvalid } from '../kept-closings.ts';
import type { ImportState } from '../state.ts';

export function AccountNames({ state: { categorising, closings, files } }: { state: ImportState }) {
  const kept = unlessInvalid(() => keptChoicesOf(categorising.rules)) ?? [];
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
