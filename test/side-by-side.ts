/**
 * `bun test/side-by-side.ts ARGUMENTS`: runs `bun test ARGUMENTS` in two processes, each with half of the files and a system of its own.
 * Most tests wait for a time to pass. Not for those that measure time, memory or CPU: they run alone.
 */
const SHARDS = 2;

const shards = Array.from({ length: SHARDS }, (_, n) =>
  Bun.spawn([process.execPath, 'test', `--shard=${n + 1}/${SHARDS}`, ...process.argv.slice(2)], {
    // The first writes as it goes, each other one after the one before has ended.
    stdio: n === 0 ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
  }),
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    for (const shard of shards) shard.kill(signal);
  });
}
const outputs = shards.map(({ stdout, stderr }) => Promise.all([stdout, stderr].map(textOf)));
for (const [n, shard] of shards.entries()) {
  await shard.exited;
  process.stdout.write((await outputs[n])?.join('') ?? '');
}
process.exit(shards.some(({ exitCode }) => exitCode !== 0) ? 1 : 0);

function textOf(stream: ReadableStream | undefined): Promise<string> | string {
  return stream === undefined ? '' : new Response(stream).text();
}

export {};
