/**
 * Load through the proxy, at a rate that does not depend on the responses: half writes, half reads; a quarter on new connections.
 * Reads `{url, seconds, rate, keys: [{key, source}]}` from standard input, and prints a LoadReport.
 */
import { Agent, request } from 'node:http';

export interface LoadOptions {
  url: string;
  seconds: number;
  rate: number;
  keys: { key: string; source: string }[];
}

export interface LoadReport {
  requests: number;
  /** The references of the entries whose creation was acknowledged. */
  acknowledged: string[];
  /** Neither a success nor a limit of the service. */
  failures: { afterMs: number; method: string; status: number | string; ms: number; body: string }[];
  slowestMs: number;
}

const TIMEOUT_MS = 60_000;

interface Response {
  status: number | string;
  body: string;
}

function sent(
  url: URL,
  method: string,
  key: string,
  body: string | undefined,
  agent: Agent,
): Promise<Response> {
  return new Promise((resolve) => {
    const headers = {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const outgoing = request(url, { method, headers, agent, timeout: TIMEOUT_MS }, async (incoming) => {
      let text = '';
      try {
        for await (const part of incoming) text += part;
        resolve({ status: incoming.statusCode ?? 0, body: text });
      } catch (error) {
        resolve({ status: `broken: ${(error as Error).message}`, body: text });
      }
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error('no response')));
    outgoing.on('error', (error) => resolve({ status: error.message, body: '' }));
    outgoing.end(body);
  });
}

async function load({ url, seconds, rate, keys }: LoadOptions): Promise<LoadReport> {
  const report: LoadReport = { requests: 0, acknowledged: [], failures: [], slowestMs: 0 };
  const kept = new Agent({ keepAlive: true, maxSockets: 64 });
  const begun = performance.now();
  const run = crypto.randomUUID();
  const one = async (number: number): Promise<void> => {
    const { key, source } = keys[number % keys.length] as LoadOptions['keys'][number];
    const method = number % 2 === 0 ? 'POST' : 'GET';
    const path = `/api/v1/sources/${source}/transactions${method === 'GET' ? '?limit=200' : ''}`;
    const externalRef = `${run}-${number}`;
    const entry = { date: '2026-04-06', type: 'income', amountPence: 100, externalRef };
    const agent = number % 8 < 2 ? new Agent({ keepAlive: false }) : kept;
    const at = performance.now();
    const body = method === 'POST' ? JSON.stringify(entry) : undefined;
    const response = await sent(new URL(path, url), method, key, body, agent);
    const ms = Math.round(performance.now() - at);
    report.requests++;
    report.slowestMs = Math.max(report.slowestMs, ms);
    if (response.status === 200 || response.status === 201) {
      if (method === 'POST') report.acknowledged.push(externalRef);
    } else if (response.status !== 429) {
      const { status, body } = response;
      report.failures.push({ afterMs: Math.round(at - begun), method, status, ms, body: body.slice(0, 200) });
    }
  };
  const pending: Promise<void>[] = [];
  while (performance.now() - begun < seconds * 1_000) {
    const due = ((performance.now() - begun) / 1_000) * rate;
    while (pending.length < due) pending.push(one(pending.length));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await Promise.all(pending);
  kept.destroy();
  return report;
}

console.log(JSON.stringify(await load(JSON.parse(await Bun.stdin.text()))));
