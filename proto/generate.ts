/**
 * Writes `proto/generated/`, the TypeScript types of the contract, from the .proto files. With `--check` it writes
 * nothing, and fails if the folder is stale.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { PROTO_FILES } from './contract.ts';

const root = join(import.meta.dir, '..');
// Relative, because the generator writes them into its output.
const protoFiles = PROTO_FILES.map((file) => relative(root, file));
const target = join(import.meta.dir, 'generated');
const fresh = mkdtempSync(join(tmpdir(), 'ledger-proto-'));
try {
  const generator = join(root, 'node_modules', '.bin', 'proto-loader-gen-types');
  // These options describe the result of LOADER_OPTIONS in contract.ts: change both together.
  const options = ['--longs=Number', '--enums=String', '--defaults', '--arrays', '--oneofs'];
  const { exitCode, stderr } = Bun.spawnSync(
    [process.execPath, generator, ...options, '--grpcLib=@grpc/grpc-js', `--outDir=${fresh}`, ...protoFiles],
    { cwd: root },
  );
  if (exitCode !== 0) throw new Error(`proto-loader-gen-types failed: ${stderr}`);

  const messages = readdirSync(join(fresh, 'ledger/v1')).sort();
  writeFileSync(
    join(fresh, 'messages.ts'),
    messages.map((name) => `export type * from './ledger/v1/${name}';\n`).join(''),
  );

  if (!process.argv.includes('--check')) {
    rmSync(target, { recursive: true, force: true });
    cpSync(fresh, target, { recursive: true });
  } else if (contents(fresh) !== contents(target)) {
    console.error('proto/generated is stale: run `bun run generate` and commit the result.');
    process.exitCode = 1;
  }
} finally {
  rmSync(fresh, { recursive: true, force: true });
}

function contents(directory: string): string {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => `${file.slice(directory.length)}\n${readFileSync(file, 'utf8')}`)
    .join('\n');
}
