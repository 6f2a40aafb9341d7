/** GET of pages and of /me, and a mix of reads and writes, on books in which some accounts have many entries. */
import { READ_ACCOUNTS, rotation } from '../accounts.ts';
import { newEntries } from '../entries.ts';
import { DAY_PAGE, dayCycle, meRequest, pageRequest, postRequest } from '../requests.ts';
import { type Bench, sidesOf, type Work } from '../work.ts';
import type { Workload } from '../workload.ts';

export const ENTRIES_PER_READ_ACCOUNT = 1_000;

export const readAccounts = ({ accounts }: Pick<Bench, 'accounts'>) => accounts.slice(0, READ_ACCOUNTS);

export function firstPage(bench: Bench, limit: number, clients: number): Workload {
  const sides = () => sidesOf(bench, readingFirst(bench, limit));
  return { group: 'read', name: `GET ${limit}`, clients, prepare: async () => {}, sides };
}

export function readingFirst(bench: Pick<Bench, 'accounts'>, limit: number): Work {
  return {
    newPicker: () => rotation(readAccounts(bench)),
    request: (account) => pageRequest(account, limit),
  };
}

export function me(bench: Bench, clients: number): Workload {
  const sides = () => sidesOf(bench, { newPicker: () => rotation(bench.accounts), request: meRequest });
  return { group: 'me', name: 'GET /me', clients, prepare: async () => {}, sides };
}

export function mixedDay(bench: Bench, clients: number): Workload {
  const { newPicker, request: page } = readingFirst(bench, DAY_PAGE);
  const nextKind = dayCycle();
  const sides = () =>
    sidesOf(bench, {
      newPicker,
      request(account) {
        const kind = nextKind();
        return kind === 'read' ? page(account) : postRequest(account, newEntries(kind), '201');
      },
    });
  return { group: 'mixed', name: 'mixed day', clients, prepare: async () => {}, sides };
}
