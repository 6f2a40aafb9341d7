/** The commands of `ledger`, with their options and their help. */
import { Command, Option } from 'commander';
import type { Io } from '../settings/io.ts';
import { requireOwnEnvironment } from '../settings/profiles.ts';
import { version } from '../typescript/package.json';
import { listCategories, listSources, login, logout, whoami } from './account.ts';
import { completionScript } from './completion.ts';
import { conformance } from './conformance.ts';
import { EXIT, EXIT_CODES, type ExitCode, usageError } from './exit.ts';
import { figures } from './figures/figures.ts';
import { pull } from './pull.ts';
import { pushFiles } from './push/push-files.ts';
import { addReadOptions, collected } from './read-options.ts';
import { reconcileFiles } from './reconcile/reconcile.ts';
import { keepRules } from './rules.ts';
import { summary } from './summary.ts';
import { addWaitOptions, capTimeoutOption } from './waits.ts';

const withSource = (command: Command) =>
  command.requiredOption('-s, --source <name|id>', 'the source of the entries');
const withPeriod = (command: Command) =>
  command.option('--from <date>', 'first date, YYYY-MM-DD').option('--to <date>', 'last date, YYYY-MM-DD');

const withForce = (command: Command) =>
  command.option('--force', 'replace a file that is not of the kind to be written');

const examples = (...lines: string[]) => `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}\n`;

/** Adds a command with examples in its help. */
type Add = (name: string, description: string, ...lines: string[]) => Command;

/** Makes the handler of a command of an action. */
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
      .addHelpText('after', examples(...lines));
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
      `\nThe service is found by LEDGER_URL (default http://localhost:3000), the key by LEDGER_API_KEY or \`ledger login\`.\n${examples(
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
  withForce(addReadOptions(push))
    .option('-y, --yes', 'send without asking')
    .option('--dry-run', 'read the file and the books, send nothing')
    .option('--verbose', 'show each row of the preview that is counted otherwise')
    .option('--offline', 'with --dry-run: read the file alone, without the service')
    .option('--another-source', 'send the file although its rows are in another source')
    .option('--suggest', 'apply the rules that the books suggest to rows that nothing decides about')
    .addOption(new Option('--send-probable', 'send rows that are probably known').conflicts('leaveProbable'))
    .option('--keep', 'keep the columns as chosen with the rules, for later files of the kind')
    .option('--skip-invalid', 'send the valid rows even if others are invalid')
    .option(
      '--allow-date <YYYY-MM-DD>',
      'with --yes: an unlikely date that is right; can be given several times',
      collected,
    )
    .option('--no-wait', 'stop at the daily cap instead of waiting')
    .addOption(capTimeoutOption())
    .option('--report <file>', 'write a CSV file with the outcome of each row')
    .action(run((options, files: string[]) => pushFiles(files, options)));
  const reconciling = add(
    'reconcile',
    'check that the books have each row of files once, which entries come from no row, and the balances',
    'ledger reconcile barclays.csv monzo.csv --rules rules.txt --report reconciliation.json',
    'ledger reconcile statement.csv -s "12 Acacia Avenue"',
  );
  withForce(addReadOptions(reconciling))
    .alias('prove')
    .option('--corrections <file>', 'write what to change in the app, as CSV or XLSX')
    .option(
      '--receipts <folder>',
      'files that are named after the id or reference of their entry; none is sent',
    )
    .option(
      '--receipts-above <pounds>',
      'with --receipts: list only expenses above this amount (default: all)',
    )
    .option(
      '--report <file>',
      'write the reconciliation as JSON; the same files, rules and books give the same bytes',
    )
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
  withForce(withPeriod(withSource(pulling)))
    .option('-o, --output <file>', 'a .csv, .xlsx, .json or .ndjson file (default: CSV on standard output)')
    .action(run(pull));
  const summing = add(
    'summary',
    'show totals by month or category',
    'ledger summary -s Shop --by category --from 2026-04-06',
  );
  withPeriod(withSource(summing))
    .addOption(new Option('--by <unit>', 'month or category').choices(['month', 'category']).default('month'))
    .action(run(summary));
  const figuring = add(
    'figures',
    "sum up a tax year by HMRC's fields, for each quarter and so far; submits nothing",
    'ledger figures --quarter 1',
    'ledger figures --tax-year 2026-27 --json',
    'ledger figures --quarter 2 --since quarter-1.json',
    'ledger figures --xlsx figures.xlsx',
  );
  withForce(figuring)
    .option('-s, --source <name|id>', 'one source (default: all, the sources of a business together)')
    .option('--tax-year <year>', 'such as 2026-27 (default: the current tax year)')
    .option('--quarter <1-4>', 'one quarter and the year up to its end (default: all four and the year)')
    .option('--calendar-quarters', 'quarters from the 1st of April instead of the 6th')
    .addOption(
      new Option(
        '--last-year <quarters>',
        "last year's quarters: after a change the tax year begins on another day",
      ).choices(['standard', 'calendar']),
    )
    .option('--rules <file>', 'rules with refunds, and with the sources whose entries are your share')
    .option('--no-rules', 'without the rules that are kept')
    .option('--since <file>', 'an earlier --json of the tax year: show and explain each change')
    .option(
      '--xlsx <file>',
      'write a workbook too: every entry, and the figures as formulas that add them up',
    )
    .action(run(figures));
}

function addConformance(add: Add, run: Run): void {
  const checking = add(
    'conformance',
    'check that a service fulfils the documentation of the API; writes entries that stay',
    'ledger conformance https://ledger.example --source 019dc8f4-… --second-source 019dc8f5-…',
    'ledger conformance http://localhost:3000 -s 019dc8f4-… --second-source 019dc8f5-… --only references',
  );
  withForce(checking)
    .argument('<url>', 'the URL of the service')
    .requiredOption(
      '-s, --source <id...>',
      'the source of the first account to write into; a second one for more rules',
    )
    .requiredOption('--second-source <id>', 'the source of the second account to write into')
    .option('--only <rule...>', 'rules or groups of rules, such as references or references.exact')
    .option('--fill-day', 'write 5,000 entries to reach the daily cap')
    .option('--report <file>', 'write all rules with their outcome as JSON')
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
