/** Formats the violations of a round, each with the events that concern its entries, references and key. */
import type { Violation } from './audit/audit.ts';
import { type History, type Request, type Write, writesIn } from './history.ts';
import type { Round } from './round.ts';
import { faultNames } from './statistics.ts';

const VIOLATIONS_MAX = 3;
const LINES_MAX = 40;

/** A report with everything needed to repeat the round. */
export function failureReport({ violations, history, seed, holdMs, clients, ...round }: Round): string {
  const names = clients.map(({ account, run }) => `${run.name} (${account})`).join(', ');
  const head = `${violations.length} violations: ${faultNames(round)}; seed ${seed}, held for ${holdMs} ms; clients: ${names}`;
  // The first violation of each rule.
  const firsts = [...Map.groupBy(violations, ({ rule }) => rule).values()].flatMap(([first]) => first ?? []);
  const details = firsts.slice(0, VIOLATIONS_MAX).map((violation) => detailsOf(violation, history));
  return [head, ...details].join('\n');
}

function detailsOf({ rule, text, operations, accountId, keyId }: Violation, history: History): string {
  const names = new Set(operations);
  const refs = new Set(
    writesIn(history)
      .filter(({ operation }) => names.has(operation.name))
      .flatMap(({ operation }) => refsOf(operation)),
  );
  const isRelevant = (request: Request) => {
    if (request.accountId !== accountId) return false;
    if (request.kind !== 'write' || names.size === 0) return names.size === 0 && request.keyId === keyId;
    return names.has(request.operation.name) || refsOf(request.operation).some((ref) => refs.has(ref));
  };
  const events = [
    ...history.requests.filter(isRelevant).map((request) => ({ at: request.begun, line: lineOf(request) })),
    ...history.revocations
      .filter((revocation) => revocation.keyId === keyId)
      .map(({ begun, ended }) => ({
        at: begun,
        line: `revocation of the key, returned at ${Math.round(ended)}`,
      })),
    ...history.accessLosses
      .filter((loss) => loss.accountId === accountId)
      .flatMap(({ what, begun, ended, restoring, restored }) => [
        { at: begun, line: `loss of the ${what}, returned at ${Math.round(ended)}` },
        { at: restoring, line: `restoring the ${what}, returned at ${Math.round(restored)}` },
      ])
      .filter(({ at }) => at < Number.POSITIVE_INFINITY),
    ...history.disturbances.map(({ begun, what }) => ({ at: begun, line: `*** ${what}` })),
  ].sort((a, b) => a.at - b.at);
  const lines = events.map(({ at, line }) => `    ${String(Math.round(at)).padStart(8)}  ${line}`);
  const cut = lines.length > LINES_MAX ? [`    … and ${lines.length - LINES_MAX} more`] : [];
  return [`  ${rule}: ${text}`, ...lines.slice(0, LINES_MAX), ...cut].join('\n');
}

function lineOf(request: Request): string {
  const { kind, gateway, outcome, code, ended } = request;
  const description = kind === 'write' ? writeOf(request) : kind;
  return `${description} to ${gateway}: ${outcome}${code ? ` ${code}` : ''} at ${Math.round(ended)}`;
}

function writeOf({ operation, response }: Write): string {
  const { name, entries, idempotencyKey } = operation;
  const counts = response ? `, ${response.created} created and ${response.deduplicated} deduplicated,` : '';
  return `write of ${name} (${entries.length} entries, ${refsOf(operation).length} with a reference${idempotencyKey ? ', with an idempotency key' : ''})${counts}`;
}

const refsOf = ({ entries }: Write['operation']) => entries.flatMap(({ externalRef }) => externalRef ?? []);
