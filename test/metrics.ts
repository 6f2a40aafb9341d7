/** Reading what a process shows to Prometheus. */
import { expect } from 'bun:test';

type Labels = Record<string, string>;

interface Sample {
  name: string;
  labels: Labels;
  value: number;
}

export class Metrics {
  constructor(
    readonly samples: readonly Sample[],
    /** As it was read. */
    readonly text: string,
  ) {}

  /** The sum of the samples of that name that have these labels; 0 where there is none. */
  sum(name: string, labels: Labels = {}): number {
    return this.#matching(name, labels).reduce((sum, { value }) => sum + value, 0);
  }

  /** As `sum`, of one sample at most. */
  value(name: string, labels: Labels = {}): number {
    expect(this.#matching(name, labels).length).toBeLessThanOrEqual(1);
    return this.sum(name, labels);
  }

  /** How much more each is than it was. */
  since(earlier: Metrics): Metrics {
    const samples = this.samples.map((sample) => ({
      ...sample,
      value: sample.value - earlier.sum(sample.name, sample.labels),
    }));
    return new Metrics(samples, this.text);
  }

  #matching(name: string, labels: Labels): Sample[] {
    return this.samples.filter(
      (sample) =>
        sample.name === name &&
        Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
    );
  }
}

/** @param address `host:port` */
export async function scrape(address: string): Promise<Metrics> {
  const response = await fetch(`http://${address}/metrics`);
  expect(response.headers.get('content-type')).toStartWith('text/plain; version=0.0.4');
  const text = await response.text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Metrics(lines.map(parse), text);
}

function parse(line: string): Sample {
  const [, name, labels = '', value] = /^([a-z_]\w*)(?:\{(.*)\})? (\S+)$/i.exec(line) ?? [];
  if (name === undefined) throw new Error(`no sample: ${line}`);
  const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, text]) => [label, text]);
  return { name, labels: Object.fromEntries(pairs), value: Number(value) };
}
