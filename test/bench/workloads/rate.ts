/** Single entries at a fixed rate, independent of the response times: half of the maximum rate of the service. */
import { rotation } from '../accounts.ts';
import type { Books } from '../books.ts';
import { httpConnection } from '../http-load.ts';
import { openLoopSide } from '../open-loop.ts';
import { postgresConnection } from '../postgres-load.ts';
import { BARE, type Bench, httpSide } from '../work.ts';
import type { Workload } from '../workload.ts';
import { creating, emptied } from './post.ts';

const CLIENTS_CLOSED = 32;
// Requests that are due while all connections are in use wait, and this time counts.
const CONNECTIONS = 64;
const PROBES = 3;

export function fixedRate(bench: Bench, seconds: number): Workload {
  const { service, bareStack, reference, accounts } = bench;
  const work = creating(1, () => rotation(accounts));
  let rate = 0;
  const workload: Workload = {
    group: 'rate',
    name: 'POST 1 at a fixed rate',
    clients: CONNECTIONS,
    async prepare() {
      await emptied(bench);
      const closed = httpSide(service, work);
      await closed.begin(CLIENTS_CLOSED);
      let fastest = 0;
      for (let probe = 0; probe < PROBES; probe++) {
        closed.load(seconds);
        const sample = await closed.run(seconds);
        fastest = Math.max(fastest, sample.requests / sample.seconds);
      }
      closed.end();
      rate = Math.round(fastest / 2);
      workload.name = `POST 1, ${rate}/s at a fixed rate`;
    },
    sides: () => {
      const overHttp = (books: Books) => {
        const next = work.newPicker();
        return openLoopSide(
          books.name,
          () => httpConnection(books.url),
          () => work.overHttp(books.accountOf(next()), books),
          rate,
        );
      };
      const bare = work.newPicker();
      return [
        overHttp(service),
        overHttp(bareStack),
        openLoopSide(
          BARE,
          () => postgresConnection(service.databaseUrl, work.statements),
          () => work.bare(bare()),
          rate,
        ),
        overHttp(reference),
      ];
    },
  };
  return workload;
}
