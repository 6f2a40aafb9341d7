/** The operator's command line: a client of the worker's Admin service. */
import { Command, CommanderError, Option } from 'commander';
import type { AdminClient } from '../proto/admin-client.ts';
import { LIMITS, PLANS, SOURCE_ROLES, SOURCE_TYPES, VERSION } from '../proto/domain.ts';
import { percent, uuid, wholeNumber } from './arguments.ts';
import { type Config, DEFAULT_ADDRESS } from './config.ts';
import { askToErase } from './erasure.ts';
import { type Output, show, showError, showPage, type Terminal } from './output.ts';
import { call, createKeys, given, listEveryAccount } from './requests.ts';
import { exportSeals, recordRestore } from './seal.ts';
import { verifyDatabase } from './verify.ts';

/**
 * Runs the command that `args` name, and prints its result or its error.
 * @param readConfig is called by a command, and not for its help
 * @returns 0; 1 when the service refuses the request or is unavailable, or a check is not complete; 2 for a usage error; 3 when the
 *   database is not right
 */
export async function runCommand(
  args: string[],
  readConfig: () => Config,
  terminal: Terminal,
): Promise<number> {
  const output = { terminal, json: args.includes('--json') };
  let exitCode = 0;
  const end = (code: number) => {
    exitCode = code;
  };
  try {
    await commandLine(readConfig, output, end).parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      showError((error as Error).message, output);
      return 1;
    }
    if (error.exitCode === 0) return 0;
    // Without a subcommand, commander has already printed the help. A suggestion has a line of its own.
    if (error.code !== 'commander.help')
      showError(error.message.replace(/^error: /, '').replaceAll('\n', ' '), output);
    return 2;
  }
}

/** The options of all commands. Commander checks that each command has the options that it requires. */
interface Options {
  account: string;
  id: string;
  plan: string;
  type: string;
  name: string;
  country?: string;
  role: string;
  share: number;
  source?: string;
  readOnly: boolean;
  yes?: boolean;
  date: string;
  category: string;
  after?: string;
  anchors?: string;
  limit: number;
}

type Request<Response> = (admin: AdminClient, options: Options) => Promise<Response>;

const ofAccount = ['--account <id>', 'account id'] as const;
const JSON_OPTION = ['--json', 'print one line of JSON'] as const;
const after = ['--after <cursor>', 'the cursor that the previous page printed as next'] as const;
const plan = () => new Option('--plan <plan>').choices(Object.keys(PLANS)).makeOptionMandatory();
const perPage = () =>
  new Option('--limit <n>', 'entries per page').argParser(wholeNumber).default(LIMITS.pageSizeDefault);

/** The parts that the commands have in common. */
interface Shared {
  program: Command;
  readConfig: () => Config;
  output: Output;
  /** Adds a command. */
  command(group: Command, name: string, description: string): Command;
  /** Adds a group of commands. */
  group(name: string, description: string): Command;
  /** Returns a commander action that sends a request and prints the response. */
  run(request: Request<object | object[]>): (options: Options) => Promise<void>;
  /** Likewise for a page of a list; `next` is the cursor of the next page. */
  runPage(
    request: Request<{ rows: object[]; next?: string | undefined }>,
  ): (options: Options) => Promise<void>;
}

function commandLine(readConfig: () => Config, output: Output, end: (exitCode: number) => void): Command {
  const { terminal } = output;
  const program = new Command('admin')
    .description('Manages the accounts of the ledger, their sources and their API keys.')
    .version(VERSION, '-V, --version', 'print the version')
    .option(...JSON_OPTION)
    // Subcommands inherit both: errors come back to runCommand.
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.log(text.trimEnd()),
      writeErr: (text) => terminal.error(text.trimEnd()),
      outputError: () => {},
    })
    .addHelpText(
      'after',
      `\nConnects to the Admin service at LEDGER_ADMIN_ADDRESS (host:port), by default ${DEFAULT_ADDRESS}.` +
        '\nIf the service requires mutual TLS, set MTLS_CA_FILE, MTLS_CERT_FILE and MTLS_KEY_FILE as for the worker.' +
        '\nWith --json every command prints its result, or its error, as one line of JSON.',
    );
  const withJson = (parent: Command, name: string, description: string) =>
    parent
      .command(name)
      .description(description)
      .option(...JSON_OPTION);
  const shared: Shared = {
    program,
    readConfig,
    output,
    command: withJson,
    group: (name, description) => withJson(program, name, description),
    run: (request) => async (options) =>
      show(await call(readConfig(), (admin) => request(admin, options)), output),
    runPage: (request) => async (options) => {
      const { rows, next } = await call(readConfig(), (admin) => request(admin, options));
      showPage(rows, next, output);
    },
  };
  addAccountCommands(shared);
  addSourceCommands(shared);
  addKeyCommands(shared);
  addEntryCommands(shared);
  addLogCommand(shared);
  addDatabaseCommands(shared, end);
  return program;
}

function addAccountCommands({ command, group, output, run }: Shared): void {
  const account = group('account', 'accounts');
  command(account, 'create', 'create an account')
    .addOption(plan())
    .action(run((admin, { plan }) => admin.createAccount({ plan })));
  command(account, 'set-plan', 'change the plan of an account')
    .requiredOption(...ofAccount)
    .addOption(plan())
    .action(run((admin, { account, plan }) => admin.setPlan({ accountId: account, plan })));
  command(account, 'delete', 'stop all keys of an account at once; it can be restored')
    .requiredOption('--id <id>', 'account id')
    .action(run((admin, { id }) => admin.deleteAccount({ accountId: id })));
  command(account, 'restore', 'restore a deleted account as it was')
    .requiredOption('--id <id>', 'account id')
    .action(run((admin, { id }) => admin.restoreAccount({ accountId: id })));
  command(account, 'erase', 'permanently remove all data of a deleted account except the action log')
    .requiredOption('--id <id>', 'account id')
    .option('--yes', 'no question: its records are kept elsewhere for as long as the law requires')
    .action(async (options: Options) => {
      if (!options.yes) await askToErase(options.id, output);
      const deadline = Number.POSITIVE_INFINITY;
      await run((admin, { id }) => admin.eraseAccount({ accountId: id }, { deadline }))(options);
    });
  command(account, 'list', 'list every account, deleted ones included').action(run(listEveryAccount));
}

function addSourceCommands({ command, group, run }: Shared): void {
  const source = group('source', 'income sources of an account');
  command(source, 'create', 'create an income source')
    .requiredOption(...ofAccount)
    .addOption(new Option('--type <type>').choices(SOURCE_TYPES).makeOptionMandatory())
    .requiredOption('--name <name>', 'name of the source')
    .option('--country <code>', 'ISO 3166-1 alpha-2, for foreign-property', (code) => code.toUpperCase())
    .addOption(new Option('--role <role>').choices(SOURCE_ROLES).default('owner'))
    .option('--share <percent>', "the account holder's share, 0 to 100", percent, 100)
    .action(
      run((admin, { account: accountId, type, name, country: countryCode, role, share: sharePercent }) =>
        admin.createSource({ accountId, type, name, role, sharePercent, ...given({ countryCode }) }),
      ),
    );
  command(source, 'rename', 'rename a source')
    .requiredOption('--id <id>', 'source id')
    .requiredOption('--name <name>', 'the new name')
    .action(run((admin, { id, name }) => admin.renameSource({ id, name })));
  command(source, 'remove', 'hide a source from the API; its entries stay in the books')
    .requiredOption('--id <id>', 'source id')
    .action(run((admin, { id }) => admin.removeSource({ id })));
  command(source, 'list', 'list the sources of an account, removed ones included')
    .requiredOption(...ofAccount)
    .action(
      run(async (admin, { account }) => (await admin.listAccountSources({ accountId: account })).sources),
    );
}

function addKeyCommands({ command, group, readConfig, output: { terminal }, run }: Shared): void {
  const key = group('key', 'API keys of an account');
  command(key, 'create', 'create an API key; it is shown only now')
    .requiredOption('--account <id>', 'account id, or - for the ids on standard input, one a line')
    .option('--read-only', 'the key reads and cannot write; this cannot be changed later', false)
    .action((options: Options) =>
      options.account === '-'
        ? createKeys(readConfig(), options.readOnly, terminal)
        : run((admin, { account, readOnly }) => admin.createKey({ accountId: account, readOnly }))(options),
    );
  command(key, 'revoke', 'stop an API key, immediately and permanently')
    .requiredOption('--id <id>', 'key id')
    .action(run((admin, { id }) => admin.revokeKey({ keyId: id })));
  command(key, 'list', 'list the API keys of an account, revoked ones included')
    .requiredOption(...ofAccount)
    .action(run(async (admin, { account }) => (await admin.listKeys({ accountId: account })).keys));
}

function addEntryCommands({ command, group, runPage, run }: Shared): void {
  const entry = group('entry', 'entries in the review queue of an account');
  command(entry, 'uncategorised', 'list the entries without a category, newest first')
    .requiredOption(...ofAccount)
    .option('--source <id>', 'only entries of this source')
    .option(...after)
    .addOption(perPage())
    .action(
      runPage(async (admin, { account: accountId, source: sourceId, after, limit }) => {
        const page = { accountId, limit, ...given({ sourceId, after }) };
        const { entries, next } = await admin.listUncategorised(page);
        return { rows: entries, next };
      }),
    );
  command(entry, 'categorise', 'set or correct the category of an entry')
    .requiredOption(...ofAccount)
    .requiredOption('--source <id>', 'source id')
    .requiredOption('--date <day>', 'date of the entry, YYYY-MM-DD')
    .requiredOption('--id <id>', 'entry id')
    .requiredOption('--category <key>', "a key of the source's type, for the entry's own type")
    .action(
      run((admin, { account, source, date, id, category }) =>
        admin.categorise({ accountId: account, sourceId: source ?? '', date, id, category }),
      ),
    );
}

function addLogCommand({ program, command, output: { json }, runPage }: Shared): void {
  command(program, 'log', 'list the changes made by these commands and by the app, newest first')
    .option('--account <id>', 'only changes to this account')
    .option(...after)
    .addOption(perPage())
    .action(
      runPage(async (admin, { account: accountId, after, limit }) => {
        const { actions, next } = await admin.listActions({ limit, ...given({ accountId, after }) });
        const rows = actions.map((action) =>
          json ? { ...action, details: JSON.parse(action.details) } : action,
        );
        return { rows, next };
      }),
    );
}

/** The commands that read the database itself. @param end sets the exit code */
function addDatabaseCommands(
  { program, command, group, readConfig, output }: Shared,
  end: (exitCode: number) => void,
): void {
  command(program, 'verify', 'check at DATABASE_URL, without changes, whether the database is right')
    .option('--account <id>', 'only the rows of this account', uuid)
    .option('--after <id>', 'continue after the account that an interrupted check printed as next', uuid)
    .option('--anchors <file>', 'compare the seals with the lines of `seal export`')
    .action(async (options: Options) => end(await verifyDatabase(readConfig(), options, output)));
  const seal = group('seal', 'seals on stored entries');
  command(seal, 'export', 'print the seals at DATABASE_URL, a line each, in the order of sealing')
    .option('--after <file>', 'only seals after the last line of this file')
    .action(({ after }: Options) => exportSeals(readConfig(), after, output.terminal));
  command(seal, 'restored', 'print the line that ends the anchors of a database from a backup').action(() =>
    recordRestore(readConfig(), output.terminal),
  );
}
