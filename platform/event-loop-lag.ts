/** How late the timers of this process fire, as Prometheus gauges over the time since the last scrape. */
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

const SAMPLE_EVERY_MS = 10;
// Sampling every 10 ms at all times would cost an idle process 5 ms of CPU a second.
const IDLE_SAMPLE_EVERY_MS = 1_000;
// The process is idle 10 s after the last second with more CPU time than this, or the last timer that fired later than this.
const IDLE_WORK_MS_MAX = 50;
const IDLE_AFTER_MS = 10_000;

type Statistics = Pick<
  RecordableHistogram,
  'min' | 'max' | 'mean' | 'stddev' | 'percentile' | 'count' | 'reset'
>;

const GAUGES: Record<string, (lags: Statistics) => number> = {
  min: ({ min }) => min,
  max: ({ max }) => max,
  mean: ({ mean }) => mean,
  stddev: ({ stddev }) => stddev,
  p50: (lags) => lags.percentile(50),
  p90: (lags) => lags.percentile(90),
  p99: (lags) => lags.percentile(99),
};

/** Starts to sample. The names are those of the library's default metrics. */
export function registerEventLoopLag(registry: Registry): void {
  const lags = createHistogram();
  sample((ms) => lags.record(Math.max(1, Math.round(ms * 1e6))));
  const last = Object.keys(GAUGES).at(-1);
  for (const [name, read] of Object.entries(GAUGES)) {
    new Gauge({
      name: `nodejs_eventloop_lag_${name}_seconds`,
      help: `How late timers fired since the last scrape: ${name}.`,
      registers: [registry],
      collect() {
        if (lags.count > 0) this.set(read(lags) / 1e9);
        if (name === last) lags.reset();
      },
    });
  }
}

function sample(record: (lagMs: number) => void): void {
  let cpu = process.cpuUsage();
  let checkedAt = performance.now();
  let busyAt = checkedAt;
  const next = () => {
    const isIdle = performance.now() - busyAt > IDLE_AFTER_MS;
    const pauseMs = isIdle ? IDLE_SAMPLE_EVERY_MS : SAMPLE_EVERY_MS;
    const due = performance.now() + pauseMs;
    const fire = () => {
      const now = performance.now();
      record(now - due);
      if (now - due > IDLE_WORK_MS_MAX) busyAt = now;
      const seconds = (now - checkedAt) / 1_000;
      if (seconds >= 1) {
        const { user, system } = process.cpuUsage(cpu);
        if ((user + system) / 1_000 > IDLE_WORK_MS_MAX * seconds) busyAt = now;
        cpu = process.cpuUsage();
        checkedAt = now;
      }
      next();
    };
    setTimeout(fire, pauseMs).unref();
  };
  next();
}
