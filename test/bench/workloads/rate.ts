/** Single entries at a fixed rate, whatever the answers take: half of what the service can do. */
import { rotation } from '../accounts.ts';
import { httpLine } from '../http-load.ts';
import { openLoopSide } from '../open-loop.ts';
import { postgresLine } from '../postgres-load.ts';
import { BARE, type Bench, httpSide } from '../work.ts';
import type { Workload } from '../workload.ts';
import { creating, emptied } from './post.ts';

const CLIENTS_CLOSED = 32;
// Requests that are due while all lines are busy wait, and their time counts.
const LINES = 64;
const PROBES = 3;

export function fixedRate(bench: Bench, seconds: number): Workload {
  const { service, reference, accounts } = bench;
  const work = creating(1, () => rotation(accounts));
  let rate = 0;
  const workload: Workload = {
    group: 'rate',
    name: 'POST 1 at a fixed rate',
    clients: LINES,
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
      workload.name = `POST 1, ${rate}/s whatever the answers take`;
    },
    sides: () => {
      const [own, bare, other] = [work.turns(), work.turns(), work.turns()];
      return [
        openLoopSide(
          service.name,
          () => httpLine(service.url),
          () => work.overHttp(own(), service),
          rate,
        ),
        openLoopSide(
          BARE,
          () => postgresLine(service.databaseUrl, work.statements),
          () => work.bare(bare()),
          rate,
        ),
        openLoopSide(
          reference.name,
          () => httpLine(reference.url),
          () => work.overHttp(other(), reference),
          rate,
        ),
      ];
    },
  };
  return workload;
}
