/** The result of the balances: missing rows in a file, or between it and the file before. */

import { balanceTexts } from '../../../typescript/balances/balance-texts.ts';
import type { BalanceCheck } from '../../../typescript/balances/balances.ts';
import { capitalised, withDays } from '../../page/format.ts';
import type { ImportState } from '../state.ts';

interface Props {
  balances: readonly BalanceCheck[];
  /** Also that there is nothing to check. */
  isComplete: boolean;
}

export function Balances({ balances, isComplete }: Props) {
  return (
    <>
      {balances.flatMap((balance) =>
        balanceTexts(balance, isComplete).map((text) => (
          <p key={text} class={isBroken(balance) ? 'bad' : 'hint'}>
            {balance.account && `${balance.account}: `}
            {capitalised(withDays(text))}
          </p>
        )),
      )}
    </>
  );
}

const isBroken = ({ state, continuity }: BalanceCheck) => state === 'broken' || continuity.state === 'broken';

/** The balances before the import. A file whose balances do not follow can be imported all the same, as by the command. */
export function CheckedBalances({ state: { files } }: { state: ImportState }) {
  const all = files.map(({ file, balances }) => (
    <BalancesOf key={file} name={files.length === 1 ? '' : file.name} balances={balances} />
  ));
  if (!files.some(({ balances }) => balances.some(isBroken))) return <>{all}</>;
  return (
    <div class="note warning" role="alert">
      <p>Rows may be missing, doubled or changed. Export the file again, or go on with it as it is.</p>
      {all}
    </div>
  );
}

const BalancesOf = ({ name, balances }: { name: string; balances: readonly BalanceCheck[] }) => (
  <Balances
    balances={balances.map((each) => ({ ...each, account: [name, each.account].filter(Boolean).join(', ') }))}
    isComplete={false}
  />
);
