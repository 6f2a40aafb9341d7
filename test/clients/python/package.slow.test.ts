/** What the Python package has of its own: it refuses amounts that are no integers, keeps the key to itself, and is typed. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { generate } from 'selfsigned';
import { startProxy } from '../proxy.ts';
import { CLIENTS, run } from './clients.ts';
import { ENV, printed } from './interpreter.ts';
import { ACCOUNT, created, entry, failure, inOrder, json, push } from './rules.ts';

setDefaultTimeout(60_000);

const PACKAGE = join(import.meta.dir, '../../../clients/python');

const me = (client: string, url: string, retryTimeoutMs: number) =>
  CLIENTS[client]?.({ method: 'me' }, { url, apiKey: 'x', source: 's', wait: false, retryTimeoutMs });

test('an amount that is no int is refused before anything is sent, as is an entry that has no JSON', async () => {
  await using service = await startProxy(created);
  const lines = await printed(
    service.url,
    `
first = [{**entry, "externalRef": str(number)} for number in range(500)]
for wrong in (0.5, 1.0, True, Decimal(1), "1", None):
    tell(lambda: ledger.push("s", [*first, {**entry, "amountPence": wrong}]))
for wrong in ({1}, float("nan"), datetime(2026, 4, 6, 12)):
    tell(lambda: ledger.push("s", [*first, {**entry, "description": wrong}]), lambda error: str(error).partition(":")[0])
for wrong in (entry, "text", None, 5, [["entry"]]):
    tell(lambda: ledger.push("s", wrong))`,
  );
  const types = ['float', 'float', 'bool', 'Decimal', 'str', 'NoneType'];
  const help = "pence('450.00') is 45000";
  expect(lines).toEqual([
    ...types.map((type) => `entries[500]: amountPence must be an int, not ${type}: ${help}`),
    ...Array(3).fill('entries[500] has no JSON'),
    ...['dict', 'str', 'NoneType', 'int'].map(
      (type) => `entries must be a list or another iterable of entries, not ${type}`,
    ),
    'entries[0] must be a dict, not list',
  ]);
  expect(service.requests).toEqual([]);
});

test('a day may be a date, and pounds become pence without rounding', async () => {
  const page = json(200, { transactions: [], nextCursor: null });
  await using service = await startProxy((request, n) => (request.body === '' ? page : created(request, n)));
  const lines = await printed(
    service.url,
    `
days = (date(2026, 4, 6), datetime(2026, 4, 6))
print(ledger.push("s", [{**entry, "date": day, "externalRef": day, "amountPence": pence("£1,025.7")} for day in days]).created)
for day in days:
    print(*ledger.transactions("s", day, to=day))
print(*[pence(pounds) for pounds in ("450.00", "450", 450, Decimal("450.000"), Decimal("1E+2"), "0.01")])
for wrong in ("1.005", "-1", "1,23.00", "450.", "", "1e2", Decimal("0.001"), Decimal("NaN"), 450.0, True, "٤٥٠"):
    tell(lambda: print(pence(wrong)), lambda _: "refused")`,
  );
  expect(lines).toEqual(['2', '', '', '45000 45000 45000 45000 10000 1', ...Array(11).fill('refused')]);
  expect(JSON.parse(service.requests[0]?.body ?? '')).toMatchObject(
    Array(2).fill({ date: '2026-04-06', externalRef: '2026-04-06', amountPence: 102_570 }),
  );
  const path = '/api/v1/sources/s/transactions?limit=200&from=2026-04-06&to=2026-04-06';
  expect(service.requests.slice(1).map((each) => each.path)).toEqual([path, path]);
});

test('an error of on_progress or on_pause stops the push, and loses no outcome', async () => {
  const limited = failure(429, 'rate_limited');
  await using service = await startProxy((request, n) => (n === 2 ? limited : created(request, n)));
  const lines = await printed(
    service.url,
    `
def fail(_):
    raise RuntimeError("no terminal")
many = [{**entry, "externalRef": str(number)} for number in range(501)]
shown = lambda error: f"{error.code} {error} {error.result.created} {error.result.remaining}"
tell(lambda: Ledger(os.environ["LEDGER_URL"], "SECRET", on_pause=fail).push("s", many), shown)
tell(lambda: ledger.push("s", many, on_progress=fail), shown)`,
  );
  const report = (name: string) => `callback_failed ${name} failed: no terminal 500 1`;
  expect(lines).toEqual([report('on_pause'), report('on_progress')]);
});

test('at the daily cap a push raises by default', async () => {
  const capped = failure(429, 'daily_cap', { remaining: 0, retryAfterSeconds: 1 });
  await using service = await startProxy(inOrder([capped]));
  const lines = await printed(
    service.url,
    `
shown = lambda error: f"{error.code} {error.remaining} {error.retry_after_seconds} {error.result.remaining}"
tell(lambda: ledger.push("s", iter([entry])), shown)`,
  );
  expect(lines).toEqual(['daily_cap 0 1 1']);
});

test('a response of another service, in JSON, is unexpected', async () => {
  const body = '{"transactions": [], "existing": []}';
  await using service = await startProxy(() => ({ status: 200, body }));
  const lines = await printed(
    service.url,
    `
for call in (
    ledger.me,
    ledger.sources,
    ledger.categories,
    lambda: list(ledger.transactions("s")),
    lambda: ledger.push("s", [entry]),
):
    tell(call, lambda error: error.code)`,
  );
  // The last one is a write.
  expect(lines).toEqual([...Array(4).fill('unexpected_response'), 'unknown_outcome']);
});

test('the key is in no text about the client, its errors or their causes', async () => {
  await using service = await startProxy(() => failure(401, 'invalid_key'));
  const lines = await printed(
    service.url,
    `
print(repr(ledger), str(ledger))
key = "SECRET"
for url, key in ((os.environ["LEDGER_URL"], key), ("http://127.0.0.1:1", key), ("https://ledger.example", key + "\\nX: y")):
    try:
        Ledger(url, key, retry_timeout_s=0).me()
    except (LedgerError, ValueError):
        traceback.print_exc(file=sys.stdout)`,
  );
  const text = lines.join('\n');
  expect(text.match(/^\S*Error:? /gm)).toHaveLength(5);
  expect(text).toContain(`Ledger('${service.url}')`);
  expect(text).not.toContain('SECRET');
});

test('what is no address of a service is refused; a name of another host is accepted', async () => {
  const urls = [
    ...['ledger.example', 'ftp://ledger.example', 'file:///etc/passwd', 'https://'],
    ...['https://user:s3cret@ledger.example', 'https://ledger.example:s3cret'],
    ...['https://ledger.example/ü', 'https://ledger.example/ x'],
  ];
  const program = `
print(ledger)
for url in ${JSON.stringify(urls)}:
    tell(lambda: Ledger(url, "key"))`;
  const [own, ...errors] = await printed('https://ledger.example', program);
  expect(own).toBe("Ledger('https://ledger.example')");
  expect(errors).toEqual(urls.map(() => expect.stringMatching(/^base_url must [\w ]+$/)));
});

test.each(Object.keys(CLIENTS))(
  '%s sends nothing to a server whose certificate it cannot verify',
  async (client) => {
    const { private: key, cert } = await generate([{ name: 'commonName', value: '127.0.0.1' }]);
    let requests = 0;
    using server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      tls: { key, cert },
      fetch: () => new Response(String(requests++)),
    });
    const report = await me(client, `https://127.0.0.1:${server.port}`, 0);
    expect([report?.error?.code, requests]).toEqual(['unreachable', 0]);
  },
);

test.each(Object.keys(CLIENTS))(
  '%s reads a response that a proxy has compressed, and repeats a broken one',
  async (client) => {
    const account = new TextEncoder().encode(JSON.stringify(ACCOUNT));
    const bodies: [encoding: string, body: Uint8Array<ArrayBuffer>][] = [
      ['gzip', account],
      ['gzip', Bun.gzipSync(account).slice(0, -9)],
      ['gzip', Bun.gzipSync(account)],
      ['deflate', new Uint8Array(deflateSync(account))],
    ];
    let requests = 0;
    using server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch() {
        const [encoding, body] = bodies[requests++] ?? ['gzip', Bun.gzipSync(account)];
        return new Response(body, { headers: { 'content-encoding': encoding } });
      },
    });
    const read = () => me(client, `http://127.0.0.1:${server.port}`, 10_000);
    expect(await read()).toMatchObject({
      value: ACCOUNT,
      // Node reads a body whose checksum is missing.
      pauses: Array(client === 'TypeScript on Node' ? 1 : 2).fill(['unavailable', expect.any(Number)]),
    });
    expect([(await read())?.value, await read()]).toMatchObject([ACCOUNT, { value: ACCOUNT, pauses: [] }]);
  },
);

test('a response that is cut off is repeated', async () => {
  const cut = { status: 200, headers: { 'content-length': '500' }, body: '{"accountId": ' };
  const { report } = await run('Python', push([entry(1)]), inOrder([cut]));
  expect(report).toMatchObject({ push: { created: 1 }, pauses: [['unavailable', expect.any(Number)]] });
});

describe('the files of the package', () => {
  test('are written for Python 3.10', async () => {
    const check = `
import ast, pathlib
package = pathlib.Path("${PACKAGE}")
files = [*package.glob("src/**/*.py"), *package.glob("examples/*.py")]
for file in files:
    ast.parse(file.read_text(), feature_version=(3, 10))
print(len(files) > 8)`;
    expect(await printed('https://ledger.example', check)).toEqual(['True']);
  });

  // The versions are in requirements-dev.txt.
  test.each([
    ['the types are those of the description', ['datamodel-codegen', '--check']],
    ['the types are consistent', ['mypy', '--python-version', '3.10']],
    ['there is nothing to mend', ['ruff', 'check', '--no-cache']],
    ['they are formatted', ['ruff', 'format', '--check', '--no-cache']],
  ] as const)('%s, where the program for it is installed', (_, [program, ...args]) => {
    if (Bun.which(program) === null) return;
    const env = { ...ENV, MYPY_CACHE_DIR: '/dev/null' };
    const { exitCode, stdout, stderr } = Bun.spawnSync([program, ...args], { cwd: PACKAGE, env });
    expect([exitCode, `${stdout}${stderr}`]).toEqual([0, expect.any(String)]);
  });
});
