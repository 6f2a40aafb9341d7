/**
 * The story of a violation: only what touches its entries, references and key, in order, with the
 * disturbances between.
 */
import type { Violation } from './audit/audit.ts';
import { groupBy } from './audit/lookup.ts';
import { faultsOf } from './figures.ts';
import type { History, Request, Write } from './history.ts';
import { writesIn } from './history.ts';
import type { Round } from './round.ts';

const STORIES_MAX = 3;
const LINES_MAX = 40;

/** Everything that a person needs to see a failed round again. */
export function storyOf({ violations, history, seed, holdMs, crew, ...round }: Round): string {
  const clients = crew.map(({ account, work }) => `${work.name} (${account})`).join(', ');
  const head = `${violations.length} violations: ${faultsOf(round)}; seed ${seed}, held for ${holdMs} ms; clients: ${clients}`;
  // One of each rule tells more than several of one.
  const kinds = [...groupBy(violations, ({ rule }) => rule).values()].flatMap(([first]) => first ?? []);
  const told = kinds.slice(0, STORIES_MAX).map((violation) => tell(violation, history));
  return [head, ...told].join('\n');
}

function tell({ rule, text, operations, accountId, keyId }: Violation, history: History): string {
  const names = new Set(operations);
  const refs = new Set(
    writesIn(history)
      .filter(({ operation }) => names.has(operation.name))
      .flatMap(({ operation }) => refsOf(operation)),
  );
  const concerns = (request: Request) => {
    if (request.accountId !== accountId) return false;
    if (request.kind !== 'write' || names.size === 0) return names.size === 0 && request.keyId === keyId;
    return names.has(request.operation.name) || refsOf(request.operation).some((ref) => refs.has(ref));
  };
  const events = [
    ...history.requests.filter(concerns).map((request) => ({ at: request.begun, line: lineOf(request) })),
    ...history.revocations
      .filter((revocation) => revocation.keyId === keyId)
      .map(({ begun, ended }) => ({
        at: begun,
        line: `revocation of the key, returned at ${Math.round(ended)}`,
      })),
    ...history.losses
      .filter((loss) => loss.accountId === accountId)
      .flatMap(({ what, begun, ended, regaining, regained }) => [
        { at: begun, line: `loss of the ${what}, returned at ${Math.round(ended)}` },
        { at: regaining, line: `the ${what} is given back, returned at ${Math.round(regained)}` },
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
  const what = kind === 'write' ? writeOf(request) : kind;
  return `${what} to ${gateway}: ${outcome}${code ? ` ${code}` : ''} at ${Math.round(ended)}`;
}

function writeOf({ operation, answer }: Write): string {
  const { name, entries, idempotencyKey } = operation;
  const counts = answer ? `, ${answer.created} created and ${answer.deduplicated} deduplicated,` : '';
  return `write of ${name} (${entries.length} entries, ${refsOf(operation).length} with a reference${idempotencyKey ? ', with an idempotency key' : ''})${counts}`;
}

const refsOf = ({ entries }: Write['operation']) => entries.flatMap(({ externalRef }) => externalRef ?? []);
