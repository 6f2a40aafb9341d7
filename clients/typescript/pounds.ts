/** Pence as pounds: `1,234.56`. Exact for every amount of the API, and for sums of them. */
export function pounds(pence: number | bigint): string {
  const text = String(pence < 0 ? -pence : pence).padStart(3, '0');
  const whole = text.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ',');
  return `${pence < 0 ? '-' : ''}${whole}.${text.slice(-2)}`;
}
