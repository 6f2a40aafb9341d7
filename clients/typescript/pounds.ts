/** Pence as pounds: `1234.56`. Exact for every amount of the API, and for sums of them. */
export function plainPounds(pence: number | bigint): string {
  const digits = String(pence).replace('-', '').padStart(3, '0');
  return `${pence < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** For people: `1,234.56`. */
export const pounds = (pence: number | bigint): string =>
  plainPounds(pence).replace(/\B(?=(\d{3})+\.)/g, ',');
