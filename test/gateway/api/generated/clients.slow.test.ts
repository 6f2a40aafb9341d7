/**
 * Clients that others generate from the description: they compile, and read all that version 1 may add (docs/api/versions.md).
 * `bun run test:generated` installs the generators. A row is skipped where its generator is not installed.
 */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT, runToEnd, temporaryDirectory } from '../../../fixtures/checkout.ts';
import { type Json, TestAccount } from '../../../fixtures/client.ts';
import { atEndOfRun } from '../../../fixtures/end-of-run.ts';
import { system } from '../../../fixtures/system.ts';
import { fetchDescription } from '../openapi-document.ts';
import * as programs from './programs.ts';

setDefaultTimeout(900_000);

const TOOLS = join(ROOT, '.local/generators');
const PATH = ['bin', 'python/bin', 'node_modules/.bin'].map((folder) => join(TOOLS, folder)).join(':');

// The option: by default its clients for Go and Java refuse members that they do not know.
const GENERATOR =
  'openapi-generator generate -i openapi.json --additional-properties=disallowAdditionalPropertiesIfNotPresent=false';
const GO = 'go mod init clients && go mod edit';
const TSC = `bun ${ROOT}/node_modules/typescript/bin/tsc --noEmit --strict --module preserve --target esnext --lib esnext,dom,dom.iterable \
  --types bun-types --typeRoots ${ROOT}/node_modules program.ts && bun program.ts`;

interface Client {
  /** Its command in TOOLS. */
  generator: string;
  /** A command of the machine. */
  compiler: string;
  generate: string;
  file: string;
  program: string;
  run: string;
}

const CLIENTS: Record<string, Client> = {
  'openapi-generator, Go': {
    ...{ generator: 'openapi-generator', compiler: 'go', file: 'main.go', program: programs.GO },
    generate: `${GENERATOR} -g go -o api && rm -r api/go.mod api/go.sum api/test && go mod init clients && go mod tidy`,
    run: 'go run .',
  },
  'openapi-generator, Java': {
    ...{ generator: 'openapi-generator', compiler: 'mvn', file: 'src/main/java/Program.java' },
    program: programs.JAVA,
    generate: `${GENERATOR} -g java -o .`,
    run: 'mvn -q -B compile dependency:build-classpath -Dmdep.outputFile=classpath >&2 && java -cp target/classes:$(cat classpath) Program',
  },
  'openapi-generator, Python': {
    ...{ generator: 'openapi-generator', compiler: 'python3', file: 'program.py', program: programs.PYTHON },
    generate: `${GENERATOR} -g python -o .`,
    run: 'python program.py',
  },
  'openapi-generator, Rust': {
    ...{ generator: 'openapi-generator', compiler: 'cargo', file: 'examples/program.rs' },
    program: programs.RUST,
    generate: `${GENERATOR} -g rust -o . && cargo add -q --dev tokio@1 --features macros,rt`,
    run: `CARGO_TARGET_DIR=${TOOLS}/cargo cargo run -q --example program`,
  },
  'oapi-codegen': {
    ...{ generator: 'oapi-codegen', compiler: 'go', file: 'main.go', program: programs.OAPI_CODEGEN },
    generate: `mkdir api && oapi-codegen -generate types,client -package api -o api/api.go openapi.json
      ${GO} -require github.com/oapi-codegen/runtime@v1.9.0 && go mod tidy`,
    run: 'go run .',
  },
  ogen: {
    ...{ generator: 'ogen', compiler: 'go', file: 'main.go', program: programs.OGEN },
    generate: `ogen --target api --package api openapi.json
      ${GO} -require github.com/ogen-go/ogen@v1.24.0 && go mod tidy`,
    run: 'go run .',
  },
  'openapi-python-client': {
    ...{ generator: 'openapi-python-client', compiler: 'python3', file: 'program.py' },
    program: programs.PYTHON_CLIENT,
    generate:
      'openapi-python-client generate --path openapi.json --meta none --output-path api --fail-on-warning',
    run: 'python program.py',
  },
  'datamodel-code-generator': {
    ...{ generator: 'datamodel-codegen', compiler: 'python3', file: 'program.py' },
    program: programs.DATAMODEL,
    generate:
      'datamodel-codegen --input openapi.json --output api.py --output-model-type pydantic_v2.BaseModel --formatters builtin',
    run: 'python program.py',
  },
  '@hey-api/openapi-ts': {
    ...{ generator: 'openapi-ts', compiler: 'node', file: 'program.ts' },
    program: programs.HEY_API,
    generate: 'openapi-ts -i openapi.json -o api',
    run: TSC,
  },
};

/** The service as it may be later: it proxies to this one, and adds members, a plan and a source type to its responses. */
const later = Bun.serve({
  port: 0,
  async fetch({ url, method, headers, body }) {
    const { pathname, search } = new URL(url);
    const response = await fetch(system.url + pathname + search, { method, headers, body });
    const { headers: sent, status } = response;
    for (const name of ['content-length', 'content-encoding']) sent.delete(name);
    return Response.json(withAdditions(await response.json()), { status, headers: sent });
  },
});
atEndOfRun.push(() => later.stop());

function withAdditions(value: Json): Json {
  if (Array.isArray(value)) return value.map(withAdditions);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, withAdditions(member)]);
  const { plan, sharePercent } = value;
  return {
    ...Object.fromEntries(members),
    ...(plan && { plan: 'added-later' }),
    ...(sharePercent && { type: 'added-later' }),
    addedLater: { any: ['value'] },
  };
}

const isInstalled = ({ generator, compiler }: Client) =>
  Bun.which(generator, { PATH }) !== null && Bun.which(compiler) !== null;

for (const [name, client] of Object.entries(CLIENTS)) {
  const { generate, file, program, run } = client;
  test.skipIf(!isInstalled(client))(
    `${name}: a client compiles, writes and reads the largest amount, and reads a plan, a type and members that were added`,
    async () => {
      const { key, sources } = await TestAccount.create();
      const cwd = temporaryDirectory();
      writeFileSync(join(cwd, 'openapi.json'), JSON.stringify(await fetchDescription()));
      const env = {
        ...process.env,
        PATH: `${PATH}:${process.env.PATH}`,
        LEDGER_URL: later.url.origin,
        LEDGER_API_KEY: key,
        SOURCE: sources['uk-property'],
      };
      const shell = (script: string) => runToEnd(['sh', '-euc', script], { cwd, env });
      const generated = await shell(generate);
      expect([generated.exitCode, generated]).toEqual([0, generated]);
      mkdirSync(dirname(join(cwd, file)), { recursive: true });
      writeFileSync(join(cwd, file), program);
      const { out, ...rest } = await shell(run);
      expect([rest, out.trim().toLowerCase()]).toEqual([
        rest,
        'added-later false added-later 6 1 9007199254740991',
      ]);
    },
  );
}
