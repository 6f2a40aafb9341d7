/** The commands of `ledger`, with their options and their help. */
import { Command } from 'commander';
import type { Io } from '../settings/io.ts';
import { requireOwnEnvironment } from '../settings/profiles.ts';
import { version } from '../typescript/package.json';
import { listCategories, listSources, login, logout, whoami } from './account.ts';
import { completionScript } from './completion.ts';
import { addConformanceOptions, conformance } from './conformance.ts';
import { EXIT, EXIT_CODES, type ExitCode, usageError } from './exit.ts';
import { figures } from './figures/figures.ts';
import { addFiguresOptions } from './figures/figures-options.ts';
import { addPullOptions, pull } from './pull.ts';
import { pushFiles } from './push/push-files.ts';
import { addPushOptions } from './push/push-options.ts';
import { reconcileFiles } from './reconcile/reconcile.ts';
import { addReconcileOptions } from './reconcile/reconcile-options.ts';
import { keepRules } from './rules.ts';
import { addSummaryOptions, summary } from './summary.ts';
import { addWaitOptions } from './waits.ts';

const examplesHelp = (...lines: string[]) =>
  `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}\n`;

/** Adds a command with examples in its help. */
type Add = (name: string, description: string, ...lines: string[]) => Command;

/** Turns an action into the handler of a command, which commander calls with arguments, options and the command. */
type Run = (
  action: (options: never, ...args: never[]) => Promise<ExitCode> | Promise<void>,
) => (...given: unknown[]) => Promise<void>;

/** @param end is called with the exit code of the command */
export function createProgram(args: readonly string[], io: Io, end: (exitCode: ExitCode) => void): Command {
  const run: Run =
    (action) =>
    async (...given) => {
      const command = given.at(-1) as Command;
      const options = { ...command.optsWithGlobals<object>(), io, args };
      end((await action(options as never, ...(given.slice(0, -2) as never[]))) ?? EXIT.OK);
    };
  const add: Add = (name, description, ...lines) =>
    program
      .command(name)
      .description(description)
      .addHelpText('after', examplesHelp(...lines));
  const program = addWaitOptions(new Command('ledger'))
    .description('Pushes bank exports and spreadsheets into the ledger, and reads it back.')
    .version(version, '-V, --version', 'print the version')
    .option('--json', 'print one JSON document')
    .option('--profile <name>', 'the stored login to use (default: LEDGER_PROFILE, or "default")')
    .option('--insecure', 'send the key to another machine without encryption')
    .hook('preAction', (_, command) => {
      requireOwnEnvironment(io);
      requireValues(command);
    })
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: () => {} })
    .showHelpAfterError(false)
    .enablePositionalOptions(false)
    .addHelpText(
      'after',
      `\nThe service is found by LEDGER_URL (default http://localhost:3000), the key by LEDGER_API_KEY or \`ledger login\`.\n${examplesHelp(
        'ledger login',
        'ledger push statement.csv --source "12 Acacia Avenue"',
        'ledger summary --source "12 Acacia Avenue" --by month',
      )}\nExit codes: ${EXIT_CODES}.`,
    );
  addAccountCommands(add, run);
  addFilesCommands(add, run);
  addBooksCommands(add, run);
  addConformance(add, run);
  add('completion', 'print a script for the completion of commands', 'ledger completion bash >> ~/.bashrc')
    .argument('<shell>', 'bash, zsh or fish')
    .action(
      run(async (_, shell: string) => {
        io.stdout.write(completionScript(program, shell));
      }),
    );
  return program;
}

function addAccountCommands(add: Add, run: Run): void {
  add(
    'login',
    'check an API key and store it',
    'ledger login',
    'ledger login --profile work --url https://ledger.example',
    'ledger login < key.txt',
  )
    .option('--url <url>', 'the URL of the service')
    .action(run(login));
  add('logout', 'delete the stored API key', 'ledger logout', 'ledger logout --profile work').action(
    run(logout),
  );
  add('whoami', 'show the account of the API key', 'ledger whoami', 'ledger whoami --json').action(
    run(whoami),
  );
  add('sources', 'list the income sources of the account', 'ledger sources').action(run(listSources));
  add('categories', 'list the category keys', 'ledger categories uk-property')
    .argument('[type]', 'uk-property, foreign-property or self-employment')
    .action(run((options, type: string | undefined) => listCategories(type, options)));
}

/** The commands that read files. */
function addFilesCommands(add: Add, run: Run): void {
  const push = add(
    'push',
    'create entries from files',
    'ledger push statement.csv --source "12 Acacia Avenue"',
    'ledger push june.xlsx -s Shop --map date=Datum,amount=Betrag --decimal ,',
    'ledger push export.ofx -s Shop --rules rules.txt --yes --report fate.csv',
    'ledger push barclays.csv monzo.csv --rules rules.txt',
  );
  addPushOptions(push).action(run((options, files: string[]) => pushFiles(files, options)));
  const reconciling = add(
    'reconcile',
    'check that the books have each row of files once, which entries come from no row, and the balances',
    'ledger reconcile barclays.csv monzo.csv --rules rules.txt --report reconciliation.json',
    'ledger reconcile statement.csv -s "12 Acacia Avenue"',
  );
  addReconcileOptions(reconciling)
    .alias('prove')
    .action(run((options, files: string[]) => reconcileFiles(files, options)));
  add(
    'rules',
    'show where the rules are kept, or keep the rules of a file',
    'ledger rules',
    'ledger rules my-rules.txt',
  )
    .argument('[file]', 'a rules file')
    .action(run((options, file: string | undefined) => keepRules(file, options)));
}

/** The commands that read the books. */
function addBooksCommands(add: Add, run: Run): void {
  const pulling = add(
    'pull',
    'write the entries of a source to a file',
    'ledger pull -s Shop > shop.csv',
    'ledger pull -s Shop --from 2026-04-06 -o year.xlsx',
  );
  addPullOptions(pulling).action(run(pull));
  const summing = add(
    'summary',
    'show totals by month or category',
    'ledger summary -s Shop --by category --from 2026-04-06',
  );
  addSummaryOptions(summing).action(run(summary));
  const figuring = add(
    'figures',
    "sum up a tax year by HMRC's fields, for each quarter and so far; submits nothing",
    'ledger figures --quarter 1',
    'ledger figures --tax-year 2026-27 --json',
    'ledger figures --quarter 2 --since quarter-1.json',
    'ledger figures --xlsx figures.xlsx',
  );
  addFiguresOptions(figuring).action(run(figures));
}

function addConformance(add: Add, run: Run): void {
  const checking = add(
    'conformance',
    'check that a service fulfils the documentation of the API; writes entries that stay',
    'ledger conformance https://ledger.example --source 019dc8f4-… --second-source 019dc8f5-…',
    'ledger conformance http://localhost:3000 -s 019dc8f4-… --second-source 019dc8f5-… --only references',
  );
  addConformanceOptions(checking)
    .addHelpText(
      'after',
      '\nThe keys belong to two accounts: LEDGER_API_KEY and LEDGER_SECOND_API_KEY. LEDGER_FREE_API_KEY, the key of an account without API access, and LEDGER_READ_ONLY_API_KEY, a key that reads only, are for more rules.',
    )
    .action(run((options, url: string) => conformance(url, options)));
}

/** An empty text is likely a variable of a shell that is not set. @throws CliError */
function requireValues(command: Command): void {
  if (command.args.includes('')) throw usageError('An argument is empty: name a file.');
  const values = command.opts<Record<string, unknown>>();
  const option = command.options.find((each) => [values[each.attributeName()]].flat().includes(''));
  if (option) throw usageError(`${option.long} is empty.`);
}
