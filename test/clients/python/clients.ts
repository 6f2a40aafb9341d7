/** One call of each client, in TypeScript and in Python: what it sends to a service that is scripted, and what it reports. */
import { type Action, type SeenRequest, startProxy } from '../proxy.ts';
import { inNode, inPython } from './interpreter.ts';
import { type Call, callLibrary, type Report, type Settings } from './library-call.ts';
import type { Rule } from './rules.ts';

export interface Run {
  requests: SeenRequest[];
  report: Report;
  ms: number;
}

export type Service = (request: SeenRequest, ordinal: number) => Action;
export const CLIENTS: Record<string, (call: Call, settings: Settings) => Promise<Report>> = {
  TypeScript: callLibrary,
  'TypeScript on Node': (call, settings) => inNode({ ...settings, ...call }),
  Python: (call, settings) => inPython({ ...settings, ...call }),
};

/** @param path after the address of the service */
export async function run(
  client: string,
  call: Call,
  service: Service,
  { path = '', retryTimeoutMs = 10_000, options = {} }: Partial<Rule> = {},
): Promise<Run> {
  await using proxy = await startProxy(service);
  const settings = { url: proxy.url + path, apiKey: 'ledger_live_SECRET', source: 'source-1', wait: false };
  const start = Date.now();
  const report = await CLIENTS[client]?.(call, { ...settings, ...options, retryTimeoutMs });
  const text = JSON.stringify(report).replaceAll(proxy.url, 'URL');
  return { requests: proxy.requests, report: JSON.parse(text), ms: Date.now() - start };
}
