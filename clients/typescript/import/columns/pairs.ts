/** Pairs of columns that can only be money in and money out, by opposite words in their names. */

/** A word for money in, and its opposite. In the singular, a deposit and a payment may both be a tenant's. */
const OPPOSITES: readonly (readonly [RegExp, RegExp])[] = [
  [/in/, /out/],
  [/deposits?/, /withdrawals?/],
  [/lodge?ments?/, /withdrawals?/],
  [/deposits/, /payments/],
  [/lodge?ments/, /payments/],
  [/incomings?/, /outgoings?/],
];
/** What both names may have around the words. Check in and stock in are no money. */
const AROUND =
  '(?:my|total|bank|account|money|monies|funds?|cash|amounts?|paid|payments?|transfers?|sums?|values?|flows?|pounds|gbp)*';

const SIDES = OPPOSITES.flatMap((words, pair) =>
  words.map((word, side) => ({ pair, side, pattern: new RegExp(`^(${AROUND}?)${word.source}(${AROUND})$`) })),
);
const NAME_LENGTH_MAX = 60;

/** The pairs to which a name can belong, each with the words around it; `side` is 0 for money in. */
const sidesOf = (key: string) =>
  SIDES.flatMap(({ pair, side, pattern }) => {
    const [, before, after] = (key.length > NAME_LENGTH_MAX ? null : pattern.exec(key)) ?? [];
    return before === undefined ? [] : [{ side, name: `${pair} ${before} ${after}` }];
  });

/** The indexes of the only pair of a header. */
export function pairIn(keys: readonly string[]): { moneyIn: number; moneyOut: number } | undefined {
  const sides = keys.flatMap((key, index) => sidesOf(key).map((each) => ({ ...each, index })));
  const [ins, outs] = [0, 1].map((side) => sides.filter((each) => each.side === side));
  const found = ins?.flatMap(({ name, index: moneyIn }) =>
    (outs ?? []).flatMap((out) => (out.name === name ? [{ moneyIn, moneyOut: out.index }] : [])),
  );
  return found?.length === 1 ? found[0] : undefined;
}
