/** The operator's command line: a client of the worker's Admin service. */
import { hostname, userInfo } from 'node:os';
import type { ServiceError } from '@grpc/grpc-js';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { fixedCertificates } from '../platform/certificates.ts';
import { mutualTlsFiles } from '../platform/environment.ts';
import { clientSecurity } from '../platform/mutual-tls.ts';
import { type AdminClient, createAdminClient } from '../proto/client.ts';
import { LIMITS, PLANS, SOURCE_ROLES, SOURCE_TYPES } from '../proto/vocabulary.ts';
import { DEFAULT_ADDRESS, readConfig } from './config.ts';
import { explain, show, showError, showPage } from './output.ts';

const ACCOUNTS_PER_PAGE = 500;

const json = process.argv.includes('--json');

const program = new Command('admin')
  .description('Manages the accounts of the ledger, their sources and their API keys.')
  // Subcommands inherit both: errors come back to main().
  .exitOverride()
  .configureOutput({ outputError: () => {} })
  .addHelpText(
    'after',
    `\nConnects to the Admin service at LEDGER_ADMIN_ADDRESS (host:port), by default ${DEFAULT_ADDRESS}.` +
      '\nIf the service requires mutual TLS, set MTLS_CA_FILE, MTLS_CERT_FILE and MTLS_KEY_FILE as for the worker.' +
      '\nWith --json every command prints its result, or its error, as one line of JSON.',
  );

const account = program.command('account').description('accounts');
const source = program.command('source').description('income sources of an account');
const key = program.command('key').description('API keys of an account');
const entry = program.command('entry').description('entries in the review queue of an account');

const plan = () => new Option('--plan <plan>').choices(Object.keys(PLANS)).makeOptionMandatory();
const ofAccount = ['--account <id>', 'account id'] as const;
const after = ['--after <cursor>', 'the cursor that the previous page printed as next'] as const;
const asJson = ['--json', 'print one line of JSON'] as const;
const perPage = () =>
  new Option('--limit <n>', 'entries per page').argParser(wholeNumber).default(LIMITS.pageSizeDefault);

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

command(source, 'create', 'create an income source')
  .requiredOption(...ofAccount)
  .addOption(new Option('--type <type>').choices(SOURCE_TYPES).makeOptionMandatory())
  .requiredOption('--name <name>', 'name of the source')
  .option('--country <code>', 'ISO 3166-1 alpha-2, for foreign-property', (code) => code.toUpperCase())
  .addOption(new Option('--role <role>').choices(SOURCE_ROLES).default('owner'))
  .option('--share <percent>', "the account holder's share, 0 to 100", percent, 100)
  .action(
    run((admin, { account, type, name, country, role, share }) =>
      admin.createSource({
        accountId: account,
        type,
        name,
        role,
        sharePercent: share,
        ...(country !== undefined && { countryCode: country }),
      }),
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

command(key, 'create', 'create an API key; it is shown only now')
  .requiredOption(...ofAccount)
  .action(run((admin, { account }) => admin.createKey({ accountId: account })));

command(key, 'revoke', 'stop an API key, immediately and permanently')
  .requiredOption('--id <id>', 'key id')
  .action(run((admin, { id }) => admin.revokeKey({ keyId: id })));

command(key, 'list', 'list the API keys of an account, revoked ones included')
  .requiredOption(...ofAccount)
  .action(run(async (admin, { account }) => (await admin.listKeys({ accountId: account })).keys));

command(entry, 'uncategorised', 'list the entries without a category, newest first')
  .requiredOption(...ofAccount)
  .option('--source <id>', 'only entries of this source')
  .option(...after)
  .addOption(perPage())
  .action(
    runPage(async (admin, { account, source, after, limit }) => {
      const page = {
        ...(source !== undefined && { sourceId: source }),
        ...(after !== undefined && { after }),
      };
      const { entries, next } = await admin.listUncategorised({ accountId: account, limit, ...page });
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

program
  .command('log')
  .description('list the changes made by these commands and by the app, newest first')
  .option('--account <id>', 'only changes to this account')
  .option(...after)
  .addOption(perPage())
  .option(...asJson)
  .action(
    runPage(async (admin, { account, after, limit }) => {
      const page = {
        ...(account !== undefined && { accountId: account }),
        ...(after !== undefined && { after }),
      };
      const { actions, next } = await admin.listActions({ limit, ...page });
      const rows = actions.map((action) =>
        json ? { ...action, details: JSON.parse(action.details) } : action,
      );
      return { rows, next };
    }),
  );

await main();

/** Exits with 0, with 1 when the service rejects the request or is unavailable, or with 2 for a usage error. */
async function main(): Promise<void> {
  try {
    await program.parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) process.exit(0);
      // A suggestion stands on a line of its own.
      const message = error.message.replace(/^error: /, '').replaceAll('\n', ' ');
      // Without a subcommand, commander has already printed the help.
      if (error.code !== 'commander.help') showError(message, json);
      process.exit(2);
    }
    showError((error as Error).message, json);
    process.exit(1);
  }
  process.exit(0);
}

function command(group: Command, name: string, description: string): Command {
  return group
    .command(name)
    .description(description)
    .option(...asJson);
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
  date: string;
  category: string;
  after?: string;
  limit: number;
}

/** A commander action that sends a request and prints the response. */
function run(request: (admin: AdminClient, options: Options) => Promise<object | object[]>) {
  return async (options: Options) => show(await call((admin) => request(admin, options)), json);
}

/** Likewise for a page of a list; `next` is the cursor of the next page. */
function runPage(
  request: (admin: AdminClient, options: Options) => Promise<{ rows: object[]; next?: string | undefined }>,
) {
  return async (options: Options) => {
    const { rows, next } = await call((admin) => request(admin, options));
    showPage(rows, next, json);
  };
}

/** Runs `request` with a client of the Admin service. @throws Error with a message for the operator */
async function call<Response>(request: (admin: AdminClient) => Promise<Response>): Promise<Response> {
  const { LEDGER_ADMIN_ADDRESS: address, ...config } = readConfig(process.env);
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

/** The name of the operator in the action log. */
function operator(): string {
  try {
    return `${userInfo().username}@${hostname()}`;
  } catch {
    // In a container, a user id may have no name.
    return `${process.getuid?.()}@${hostname()}`;
  }
}

async function listEveryAccount(admin: AdminClient) {
  const all = [];
  for (let after: string | undefined; ; ) {
    const { accounts } = await admin.listAccounts({
      limit: ACCOUNTS_PER_PAGE,
      ...(after !== undefined && { after }),
    });
    all.push(...accounts);
    after = accounts.at(-1)?.accountId;
    if (accounts.length < ACCOUNTS_PER_PAGE) return all;
  }
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('expected a whole number');
  return Number(text);
}

function percent(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 100))
    throw new InvalidArgumentError('expected 0 to 100');
  return value;
}
