/** Mutations of the command `ledger`, of the client library's HTTP, and of what command lines print. */
import type { Mutation } from './mutations.ts';

const CLI = 'clients/cli';
const LIBRARY_TEST = 'test/clients/typescript/library.test.ts';
const COMMANDS_TEST = 'test/clients/cli/commands.test.ts';
const ERRORS_TEST = 'test/clients/cli/errors.test.ts';
const CONNECTION_TEST = 'test/clients/cli/connection.test.ts';
const FILES_TEST = 'test/clients/cli/files.test.ts';
const WHOLE_FILE_TEST = 'test/clients/cli/whole-file.test.ts';
const TERMINAL_TEST = 'test/clients/cli/terminal.test.ts';
const PRINTABLE_TEST = 'test/platform/terminal.test.ts';
const ADMIN_TEST = 'test/admin/output.test.ts';

/** One edit each: a name, what is found, and what takes its place. */
export function inFile(
  file: string,
  test: string,
  edits: [name: string, find: string, replace: string][],
  only?: string,
): Mutation[] {
  return edits.map(([name, ...edit]) => ({
    ...{ name: `clients: ${name}`, breaks: [], file, edits: [edit], tests: [test] },
    ...(only !== undefined && { only }),
  }));
}

export const COMMAND_MUTATIONS: Mutation[] = [
  ...inFile(
    'clients/typescript/http.ts',
    LIBRARY_TEST,
    [
      ['a redirect is followed', "redirect: 'manual',", "redirect: 'follow',"],
      ['a redirect is no error of its own', 'response.status >= 300 && response.status < 400', 'false'],
      ['a browser does not recognise a redirect', "response.type === 'opaqueredirect'", 'false'],
    ],
    'redirect',
  ),
  ...inFile(
    'clients/typescript/errors.ts',
    LIBRARY_TEST,
    [['the error of a redirect shows all of its target', '?.origin', '?.href']],
    'redirect',
  ),

  ...inFile(`${CLI}/profiles.ts`, CONNECTION_TEST, [
    ['a stored key is sent to any LEDGER_URL', 'url !== serviceUrl(stored.url)', 'false'],
    [
      'LEDGER_URL has to be written as the stored URL',
      'url !== serviceUrl(stored.url)',
      'env.LEDGER_URL !== stored.url',
    ],
    [
      'the stored key goes before that of the environment',
      'env.LEDGER_API_KEY || stored?.apiKey;',
      'stored?.apiKey || env.LEDGER_API_KEY;',
    ],
    [
      'a login without encryption needs no --insecure',
      'return requireEncryption(serviceUrl(',
      'return ((url: string, _: object) => url)(serviceUrl(',
    ],
    ['only a login without encryption needs --insecure', 'url: requireEncryption(url, options)', 'url'],
    ['a host that begins like the loopback is the loopback', '|\\[::1\\])$/', '|\\[::1\\])/'],
    ['a proxy gets what stays on this machine', 'delete env[name];', 'env[name];'],
    ['only .env itself is a reason to stop', "['', '.development', '.production', '.test']", "['']"],
    ['.env.local is no reason to stop', '}.local`', '}`'],
    ['others can read the stored keys', '{ mode: 0o600 }', '{}'],
    [
      'stored keys that cannot be read are replaced',
      "if ((error as NodeJS.ErrnoException).code === 'ENOENT') return",
      'return',
    ],
  ]),
  ...inFile('package.json', CONNECTION_TEST, [
    ['`bun run ledger` reads .env files', 'bun --no-env-file clients/cli/main.ts', 'bun clients/cli/main.ts'],
  ]),
  ...inFile(`${CLI}/main.ts`, CONNECTION_TEST, [
    ['a .env file that Bun has read is no reason to stop', ".hook('preAction', requireOwnEnvironment)", ''],
  ]),

  ...inFile(`${CLI}/push-file.ts`, FILES_TEST, [
    ['a report may replace the rules', '...(rules === undefined ? [] : [rules]), ', ''],
    ['a report may replace a statement on standard input', "file === '-' ? STANDARD_INPUT : file", 'file'],
    [
      'a report is written before the push begins',
      'requireWritable(options.report, inputs);',
      "await writeWhole(options.report, [''], { inputs });",
    ],
    [
      'a missing report hides the result of the push',
      'printError(`There is',
      'throw failure; printError(`There is',
    ],
    ['a missing report is told by no exit code', 'EXIT.NO_REPORT : exitCode', 'exitCode : exitCode'],
    [
      'a missing report hides the exit code of the push',
      'exitCode === EXIT.OK ? EXIT.NO_REPORT',
      'true ? EXIT.NO_REPORT',
    ],
  ]),
  ...inFile(`${CLI}/push-file.ts`, ERRORS_TEST, [
    [
      'a report that cannot be written is found out after the push',
      'requireWritable(options.report, inputs);',
      '{}',
    ],
  ]),
  ...inFile(`${CLI}/main.ts`, FILES_TEST, [
    [
      'a push without a reader has no report',
      "if (code === 'EPIPE') return;",
      "if (code === 'EPIPE') process.exit(0);",
    ],
  ]),
  ...inFile(`${CLI}/pull.ts`, FILES_TEST, [
    ['pull may replace the stored keys', '[profilesFile()];', '[] as string[];'],
    ['a pull without a reader does not end', "code === 'EPIPE' && process.exit(EXIT.OK)", 'code'],
  ]),
  ...inFile(`${CLI}/whole-file.ts`, FILES_TEST, [
    ['a report may replace the file that is read', 'isSame(found, statusOf(input))', 'false'],
    ['files of one device are the same', ' && one.ino === other.ino', ''],
    ['half of a file is left', 'remove();\n    fail(file, error);', 'fail(file, error);'],
    ['a signal leaves half of a file', 'for (const signal of SIGNALS) process.once(signal, onSignal);', ''],
    ['a pipe is replaced by a file', 'if (!found.isFile()) return', 'if (false) return'],
    ['standard output is replaced by a file', 'if (open) return', 'if (false) return'],
  ]),
  ...inFile(`${CLI}/whole-file.ts`, WHOLE_FILE_TEST, [
    ['a complete file is not put in its place', 'renameSync(temporary, place.path);', ''],
    [
      'a file is written where it will be',
      'const temporary = join(',
      'const temporary = place.path || join(',
    ],
    ['the name of a temporary file can be guessed', 'randomUUID()}', 'process.pid}'],
    ['a file loses its permissions', 'mode ?? place.mode;', 'mode;'],
    ['a secret file is open to others until it is complete', 'kept === undefined ? 0o666 : 0o600', '0o666'],
    ['a link is replaced', 'const path = realpathSync(file);', 'const path = resolve(file);'],
    ['a link to nothing is replaced', 'if (lstatSync(file, { throwIfNoEntry: false })) {', 'if (false) {'],
  ]),

  ...inFile('platform/terminal.ts', PRINTABLE_TEST, [
    ['control characters are printed', '[\\p{Cc}\\p{Cf}', '[\\p{Cf}'],
    ['characters of direction and without width are printed', '\\p{Cc}\\p{Cf}', '\\p{Cc}'],
    ['separators of lines are printed', '\\p{Zl}\\p{Zp}', ''],
    [
      'JSON is printed as JSON.stringify writes it',
      "character === '\\n' ? character : escaped(character)",
      'character',
    ],
  ]),
  ...inFile(`${CLI}/output.ts`, TERMINAL_TEST, [
    ['the command prints texts as they are', 'printable(line)', 'line'],
    ['the command prints JSON as it is', 'printableJson(document, 2)', 'JSON.stringify(document, null, 2)'],
  ]),
  ...inFile(`${CLI}/prompt.ts`, TERMINAL_TEST, [
    ['the question before a push drives the terminal', 'printable(question)', 'question'],
  ]),
  ...inFile(`${CLI}/pull.ts`, TERMINAL_TEST, [
    ['pull drives the terminal', 'process.stdout.isTTY ? printable', 'false ? printable'],
    ['pull changes what a pipe gets', 'process.stdout.isTTY ? printable', 'true ? printable'],
  ]),
  ...inFile(`${CLI}/export.ts`, TERMINAL_TEST, [
    [
      'pull --json drives the terminal',
      'separator + printableJson(each)',
      'separator + JSON.stringify(each)',
    ],
  ]),
  ...inFile('admin/output.ts', ADMIN_TEST, [
    ['admin prints texts as they are', 'lines.map(printable)', 'lines'],
    ['a text shifts the columns of admin', "printable(String(row[name] ?? '-'))", "String(row[name] ?? '-')"],
    ['admin prints JSON as it is', 'write(printableJson(document));', 'write(JSON.stringify(document));'],
  ]),

  ...inFile(`${CLI}/push-result.ts`, COMMANDS_TEST, [
    [
      'a push that stopped says that all is done',
      'return EXIT.STOPPED;\n  const',
      'return EXIT.OK;\n  const',
    ],
    ['a push with conflicts says that all is done', 'EXIT.CONFLICTS : EXIT.OK', 'EXIT.OK : EXIT.OK'],
  ]),
  ...inFile(`${CLI}/push-file.ts`, COMMANDS_TEST, [
    ['a dry run sends', 'if (options.dryRun) {', 'if (false) {'],
    ['rows are sent although others are invalid', 'invalid.length > 0 && !options.skipInvalid', 'false'],
    ['a push does not ask', 'if (!options.yes) {', 'if (false) {'],
  ]),
  ...inFile(`${CLI}/push-file.ts`, 'test/clients/cli/interrupted-push.test.ts', [
    ['Ctrl-C kills the running request', "process.on('SIGINT', onInterrupt);", ''],
  ]),
  ...inFile(`${CLI}/account.ts`, COMMANDS_TEST, [
    [
      'a key is stored before it is checked',
      'const account = await new Ledger',
      'await saveProfile(name, { url, apiKey });\n  const account = await new Ledger',
    ],
  ]),
  ...inFile(`${CLI}/profiles.ts`, ERRORS_TEST, [
    ['a malformed key is shown', 'if (/^[\\x21-\\x7e]+$/.test(apiKey)) return;', 'if (apiKey) return;'],
  ]),
];
