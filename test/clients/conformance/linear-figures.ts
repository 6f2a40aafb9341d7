/** Prints how many operations per second the checker decides: `bun test/clients/conformance/linear-figures.ts`. */
import { checkLinearizability } from '../../../clients/conformance/linearizability.ts';
import { concurrentHistory } from './linear-model.ts';

const RUNS = 3;
// As in the runs of faults: some responses are lost, and every entry is read at the end.
const SHAPE = { lost: 0.02, counts: 0.03, cap: 1_000_000, readsAll: true };

for (const requests of [1_000, 10_000]) {
  for (const clients of [8, 16, 32]) {
    const verdicts = new Map<string, number>();
    let [elapsedMs, states] = [0, 0];
    for (let seed = 1; seed <= RUNS; seed++) {
      const history = concurrentHistory({ seed, requests, clients, ...SHAPE });
      const begun = performance.now();
      const verdict = checkLinearizability(history);
      elapsedMs += performance.now() - begun;
      states += verdict.states;
      verdicts.set(verdict.verdict, (verdicts.get(verdict.verdict) ?? 0) + 1);
    }
    const perSecond = Math.round((RUNS * requests * 1_000) / elapsedMs);
    const outcome = [...verdicts].map(([verdict, count]) => `${count} ${verdict}`).join(', ');
    console.log(
      `${requests} requests of ${clients} clients: ${perSecond} a second, ${Math.round(states / RUNS)} states, ${outcome}`,
    );
  }
}
