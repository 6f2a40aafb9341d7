/** The question before an account is erased: its records may still have to be kept. */
import { CommanderError } from 'commander';
import { type Output, showProgress } from './output.ts';

const PERIOD = 'until 5 years after 31 January that follows their tax year';

/** The last day, for records of this tax year. */
const EXAMPLE = '31 January 2033 for 2026-27';

/** Goes on if the next line of standard input is the id. @throws CommanderError with another one, or none */
export async function askToErase(id: string, output: Output): Promise<void> {
  const text = `Tax records must be kept ${PERIOD}, ${EXAMPLE}. Has the holder the entries of this account elsewhere? Erasing cannot be undone.`;
  showProgress(`${text} Write its id to erase it:`, output);
  for await (const line of output.terminal) {
    if (line.trim() === id) return;
    break;
  }
  throw new CommanderError(
    2,
    'not.confirmed',
    'nothing was erased: the line is not the id. With --yes there is no question',
  );
}
