/**
 * Schedules of a quota: requests of accounts and of none that raise, force and close their reservations, in any order, also after the end of
 * a request. The reference is a list of what each request holds.
 */
import fc from 'fast-check';
import { createQuota } from '../../platform/quota.ts';
import { rule, schedulesOf } from './schedule.ts';

const [MAX, ACCOUNT_MAX] = [10, 6];

const plan = fc.array(
  fc.record({
    account: fc.constantFrom('A', 'B', undefined),
    steps: fc.array(
      fc.record({ kind: fc.constantFrom('raise', 'raise', 'force', 'close'), amount: fc.nat({ max: 7 }) }),
      { minLength: 1, maxLength: 4 },
    ),
  }),
  { minLength: 1, maxLength: 5 },
);

export const quotas = schedulesOf({
  plan,
  async run(schedule, requests) {
    const quota = createQuota(MAX, ACCOUNT_MAX);
    const held = requests.map(({ account }) => ({ account, amount: 0, isClosed: false }));
    const sum = (account?: string) =>
      held
        .filter((each) => account === undefined || each.account === account)
        .reduce((total, { amount }) => total + amount, 0);
    const fits = (n: number, amount: number) => {
      const more = amount - (held[n]?.amount ?? 0);
      const account = held[n]?.account;
      return sum() + more <= MAX && (account === undefined || sum(account) + more <= ACCOUNT_MAX);
    };
    const requireCounts = () => {
      rule(quota.used() === sum(), `${quota.used()} are used, and ${sum()} held`);
      const accounts = ['A', 'B'].filter((account) => sum(account) > 0);
      rule(quota.accounts() === accounts.length, `${quota.accounts()} accounts use it, and ${accounts} do`);
      for (const account of ['A', 'B'])
        rule(
          quota.isWithin(account) === (sum() <= MAX && sum(account) <= ACCOUNT_MAX),
          `whether ${account} is within its limits is wrong`,
        );
    };
    for (const [n, { account, steps }] of requests.entries()) {
      const own = held[n] as (typeof held)[number];
      const name = `request ${n} of ${account ?? 'no account'}`;
      const reservation = quota.open(account);
      const act = ([step, ...rest]: typeof steps) => {
        if (!step) return;
        const { kind, amount } = step;
        schedule.event(`${name}: ${kind}${kind === 'close' ? '' : ` ${amount}`}`, () => {
          const isAllowed = kind === 'force' || fits(n, amount);
          if (kind === 'close') {
            reservation.close();
            Object.assign(own, { amount: 0, isClosed: true });
          } else if (kind === 'force') {
            reservation.force(amount);
          } else {
            const isRaised = reservation.raise(amount);
            rule(isRaised === (isAllowed && !own.isClosed), `${name}: a raise to ${amount} is ${isRaised}`);
          }
          if (kind !== 'close' && isAllowed && !own.isClosed) own.amount = amount;
          requireCounts();
          act(rest);
        });
      };
      act(steps);
      schedule.event(`${name} ends`, () => {
        reservation.close();
        Object.assign(own, { amount: 0, isClosed: true });
        requireCounts();
      });
    }
    await schedule.run(() => true);
    rule(quota.used() === 0 && quota.accounts() === 0, 'left in use');
  },
});
