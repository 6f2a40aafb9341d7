/** The operator's command line: accounts, sources and keys, over the worker's Admin service. */
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
    `\nFinds the service at LEDGER_ADMIN_ADDRESS (host:port), by default ${DEFAULT_ADDRESS}.` +
      '\nWhere it asks for a certificate: MTLS_CA_FILE, MTLS_CERT_FILE and MTLS_KEY_FILE, as the worker has them.' +
      '\nWith --json every command prints its result, or its error, as one line of JSON.',
  );

const account = program.command('account').description('accounts');
const source = program.command('source').description('income sources of an account');
const key = program.command('key').description('API keys of an account');
const entry = program.command('entry').description('entries in the review queue of an account');

const plan = () => new Option('--plan <plan>').choices(Object.keys(PLANS)).makeOptionMandatory();
const ofAccount = ['--account <id>', 'account id'] as const;
const after = ['--after <cursor>', 'go on after a page: what that page gave as next'] as const;
const asJson = ['--json', 'print one line of JSON'] as const;
const perPage = () =>
  new Option('--limit <n>', 'entries per page').argParser(Number).default(LIMITS.pageSizeDefault);

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

command(account, 'erase', 'remove everything of a deleted account for good, but for the log')
  .requiredOption('--id <id>', 'account id')
  .requiredOption('--yes', 'there is no way back')
  .action(
    run((admin, { id }) => admin.eraseAccount({ accountId: id }, { deadline: Number.POSITIVE_INFINITY })),
  );

command(account, 'list', 'list every account, deleted ones included').action(run(listEveryAccount));

command(source, 'create', 'create an income source')
  .requiredOption(...ofAccount)
  .addOption(new Option('--type <type>').choices(SOURCE_TYPES).makeOptionMandatory())
  .requiredOption('--name <name>', 'what the account holder calls it')
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

command(key, 'revoke', 'stop an API key, at once and for good')
  .requiredOption('--id <id>', 'key id')
  .action(run((admin, { id }) => admin.revokeKey({ keyId: id })));

command(key, 'list', 'list the API keys of an account, revoked ones included')
  .requiredOption(...ofAccount)
  .action(run(async (admin, { account }) => (await admin.listKeys({ accountId: account })).keys));

command(entry, 'uncategorised', 'list the entries that wait for a category, newest first')
  .requiredOption(...ofAccount)
  .option('--source <id>', 'of this source only')
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
  .description('list what was done by these commands and by the app, newest first')
  .option('--account <id>', 'to this account only')
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

/** Exits with 0, with 1 when the service refused or did not answer, with 2 when the command line is not understood. */
async function main(): Promise<void> {
  try {
    await program.parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) process.exit(0);
      // Without a subcommand the help was shown, which says it all.
      if (error.code !== 'commander.help') showError(error.message.replace(/^error: /, ''), json);
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

/** The options of all commands together; commander has checked that each command has those it requires. */
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

/** An action that asks the service and shows what it answers. */
function run(ask: (admin: AdminClient, options: Options) => Promise<object | object[]>) {
  return async (options: Options) => show(await asked((admin) => ask(admin, options)), json);
}

/** Likewise for a page of a list: `next` leads to the page after. */
function runPage(
  ask: (admin: AdminClient, options: Options) => Promise<{ rows: object[]; next?: string | undefined }>,
) {
  return async (options: Options) => {
    const { rows, next } = await asked((admin) => ask(admin, options));
    showPage(rows, next, json);
  };
}

/** What the service answers. @throws Error in words for who typed */
async function asked<Answer>(ask: (admin: AdminClient) => Promise<Answer>): Promise<Answer> {
  const { LEDGER_ADMIN_ADDRESS: address, ...config } = readConfig(process.env);
  const files = mutualTlsFiles(config);
  const security = clientSecurity(address, files && fixedCertificates(files));
  const admin = createAdminClient(address, operator(), security);
  try {
    return await ask(admin);
  } catch (error) {
    throw new Error(explain(error as ServiceError, address));
  } finally {
    admin.close();
  }
}

/** Who types, for the log of actions. */
function operator(): string {
  try {
    return `${userInfo().username}@${hostname()}`;
  } catch {
    // In a container, a user may have a number only.
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

function percent(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 100))
    throw new InvalidArgumentError('expected 0 to 100');
  return value;
}
