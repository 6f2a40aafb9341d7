/** The operator's command line: a client of the worker's Admin service. */
import { hostname, userInfo } from 'node:os';
import type { ServiceError } from '@grpc/grpc-js';
import { Command, CommanderError, Option } from 'commander';
import { fixedCertificates } from '../platform/certificates.ts';
import { mutualTlsFiles } from '../platform/environment.ts';
import { clientSecurity } from '../platform/mutual-tls.ts';
import { type AdminClient, createAdminClient } from '../proto/client.ts';
import { LIMITS, PLANS, SOURCE_ROLES, SOURCE_TYPES, VERSION } from '../proto/domain.ts';
import { percent, uuid, wholeNumber } from './arguments.ts';
import { type Config, DEFAULT_ADDRESS } from './config.ts';
import { explain, type Output, show, showError, showPage, type Terminal } from './output.ts';
import { exportSeals, recordRestore } from './seal.ts';
import { verifyDatabase } from './verify.ts';

const ACCOUNTS_PER_PAGE = 500;

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

function commandLine(readConfig: () => Config, output: Output, end: (exitCode: number) => void): Command {
  const { terminal, json } = output;
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
  const command = (group: Command, name: string, description: string) =>
    group
      .command(name)
      .description(description)
      .option(...JSON_OPTION);
  const group = (name: string, description: string) =>
    program
      .command(name)
      .description(description)
      .option(...JSON_OPTION);
  /** Returns a commander action that sends a request and prints the response. */
  const run = (request: Request<object | object[]>) => async (options: Options) =>
    show(await call(readConfig(), (admin) => request(admin, options)), output);
  /** Likewise for a page of a list; `next` is the cursor of the next page. */
  const runPage =
    (request: Request<{ rows: object[]; next?: string | undefined }>) => async (options: Options) => {
      const { rows, next } = await call(readConfig(), (admin) => request(admin, options));
      showPage(rows, next, output);
    };

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
    .requiredOption('--yes', 'confirm: this cannot be undone')
    .action(
      run((admin, { id }) => admin.eraseAccount({ accountId: id }, { deadline: Number.POSITIVE_INFINITY })),
    );
  command(account, 'list', 'list every account, deleted ones included').action(run(listEveryAccount));

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

  const key = group('key', 'API keys of an account');
  command(key, 'create', 'create an API key; it is shown only now')
    .requiredOption('--account <id>', 'account id, or - for the ids on standard input, one a line')
    .option('--read-only', 'the key reads and cannot write; this cannot be changed later', false)
    .action((options: Options) =>
      options.account === '-'
        ? createKeys(readConfig(), options, terminal)
        : run((admin, { account, readOnly }) => admin.createKey({ accountId: account, readOnly }))(options),
    );
  command(key, 'revoke', 'stop an API key, immediately and permanently')
    .requiredOption('--id <id>', 'key id')
    .action(run((admin, { id }) => admin.revokeKey({ keyId: id })));
  command(key, 'list', 'list the API keys of an account, revoked ones included')
    .requiredOption(...ofAccount)
    .action(run(async (admin, { account }) => (await admin.listKeys({ accountId: account })).keys));

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
  command(program, 'verify', 'check at DATABASE_URL, without changes, whether the database is right')
    .option('--account <id>', 'only the rows of this account', uuid)
    .option('--after <id>', 'continue after the account that an interrupted check printed as next', uuid)
    .option('--anchors <file>', 'compare the seals with the lines of `seal export`')
    .action(async (options: Options) => end(await verifyDatabase(readConfig(), options, output)));
  const seal = group('seal', 'seals on stored entries');
  command(seal, 'export', 'print the seals at DATABASE_URL, a line each, in the order of sealing')
    .option('--after <file>', 'only seals after the last line of this file')
    .action(({ after }: Options) => exportSeals(readConfig(), after, terminal));
  command(seal, 'restored', 'print the line that ends the anchors of a database from a backup').action(() =>
    recordRestore(readConfig(), terminal),
  );
  return program;
}

/** Sends a request to the Admin service. @throws Error with a message for the operator */
async function call<Response>(
  { LEDGER_ADMIN_ADDRESS: address, ...config }: Config,
  request: (admin: AdminClient) => Promise<Response>,
): Promise<Response> {
  const files = mutualTlsFiles(config);
  const security = clientSecurity(address, files && fixedCertificates(files));
  const admin = createAdminClient(address, operator(), security);
  try {
    return await request(admin);
  } catch (error) {
    throw new Error(explain(error as ServiceError, address));
  } finally {
    admin.close();
  }
}

/**
 * Creates a key for each account id on standard input. Prints it as one line of JSON at once: a later line that fails loses no key.
 * @throws Error that names the first line that failed
 */
async function createKeys(config: Config, { readOnly }: Options, terminal: Terminal): Promise<void> {
  let line = 0;
  try {
    await call(config, async (admin) => {
      for await (const text of terminal) {
        line++;
        const accountId = text.trim();
        if (accountId === '') continue;
        show({ accountId, ...(await admin.createKey({ accountId, readOnly })) }, { terminal, json: true });
      }
    });
  } catch (error) {
    throw new Error(`line ${line}, after which nothing was created: ${(error as Error).message}`);
  }
}

/** The name of the operator in the action log. */
function operator(): string {
  // Bun takes the name from $USER alone, and returns `unknown` without it. In a container, a user id may have no name.
  const { username, uid } = userInfo();
  return `${username === 'unknown' ? `uid ${uid}` : username}@${hostname()}`;
}

async function listEveryAccount(admin: AdminClient) {
  const all = [];
  for (let after: string | undefined; ; ) {
    const { accounts } = await admin.listAccounts({ limit: ACCOUNTS_PER_PAGE, ...given({ after }) });
    all.push(...accounts);
    after = accounts.at(-1)?.accountId;
    if (accounts.length < ACCOUNTS_PER_PAGE) return all;
  }
}

/** `fields` without the undefined ones. */
function given<Fields extends object>(fields: Fields) {
  const set = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set) as { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };
}
