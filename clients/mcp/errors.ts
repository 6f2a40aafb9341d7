/** Errors for an assistant: the problem and its remedy, without a stack trace. */
import { CliError } from '../cli/exit.ts';
import { ImportError } from '../typescript/import/index.ts';
import { LedgerError } from '../typescript/index.ts';
import { bounded } from './texts.ts';

/** Ends a call of a tool with a sentence for the assistant. */
export class ToolError extends Error {}

export function messageOf(error: unknown): string {
  if (error instanceof ToolError || error instanceof CliError) return error.message;
  if (error instanceof ImportError) return importMessage(error);
  if (error instanceof LedgerError) return ledgerMessage(error);
  return 'The server failed unexpectedly. Try again: nothing is created twice.';
}

const ANSWERS = 'Ask the person. The arguments `map`, `values`, `rowMeanings` and `unit` have the answers.';

/** Arguments have the names of the reader's options. */
function importMessage({ message, option, table, questions = [] }: ImportError): string {
  const settling = questions.length > 0 ? ANSWERS : option && `The argument \`${option}\` settles it.`;
  const advice = settling ? ` ${settling}` : '';
  const header = table?.header.slice(0, 50).map((name) => bounded(name, 100)) ?? [];
  const columns = header.length > 0 ? ` The columns of the file are ${JSON.stringify(header)}.` : '';
  const ignored = option === 'map' ? ' `ignore` leaves columns out.' : '';
  return `${bounded(message, 2_000)}${advice}${ignored}${columns}`;
}

export function ledgerMessage({ code, message, issues }: LedgerError): string {
  const faults = issues.slice(0, 20).map(({ path, message }) => ` ${path.slice(1)} ${message}.`);
  const isElsewhere = code === 'unreachable' || code === 'unexpected_response';
  const advice = isElsewhere
    ? ' The address is fixed when this server starts: LEDGER_URL or the stored login sets it.'
    : '';
  return bounded(`${message}${faults.join('')}${advice}`, 4_000);
}
