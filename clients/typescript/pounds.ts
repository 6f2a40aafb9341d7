/** Pence as pounds: `1234.56`. Exact for every amount of the API, and for sums of them. @param pence a text of digits keeps its zeros */
export function plainPounds(pence: number | bigint | string): string {
  const [, minus = '', whole = ''] = /^(-?)(.*)$/.exec(String(pence)) ?? [];
  const digits = whole.padStart(3, '0');
  return `${minus}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** For people: `1,234.56`. */
export const pounds = (pence: number | bigint): string =>
  plainPounds(pence).replace(/\B(?=(\d{3})+\.)/g, ',');

/** The pence of an amount with the sign of its type: negative for an expense. */
export const signedPence = ({
  type,
  pence = 0,
}: {
  type?: string | undefined;
  pence?: number | undefined;
}) => (type === 'expense' ? -pence : pence);
