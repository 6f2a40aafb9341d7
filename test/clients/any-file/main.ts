/**
 * Draws files from their meaning, reads them, and prints how: `bun test/clients/any-file/main.ts 1..10`, with 2,000 files for each seed or
 * `--files 200`. `--words` prints the smallest file of each kind of violation, `--unread` also the ones that are not readable after true
 * answers, and `--second` reads a second file of each kind. `--file 3/17` prints one file.
 */
import { seedsOf } from '../histories/seeds.ts';
import { drawFile } from './draw.ts';
import { readTruthfully } from './reading.ts';
import { reasonsOf, tableOf, wordsOf } from './report.ts';
import { emptyRun, runSeed, smallestOf } from './run.ts';
import { UNDECIDABLE } from './undecidable.ts';
import { violationOf } from './violations.ts';

const args = process.argv.slice(2);
const argumentOf = (name: string) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);

const single = argumentOf('--file');
if (single) {
  const drawn = drawFile(single);
  const reading = await readTruthfully(drawn);
  console.log(wordsOf({ file: single, kind: violationOf(drawn, reading) ?? 'not readable', drawn, reading }));
  process.exit();
}

const FLAGS_WITH_VALUES = ['--files'];
const range = args.find(
  (arg, at) => !arg.startsWith('--') && !FLAGS_WITH_VALUES.includes(args[at - 1] ?? ''),
);
const seeds = seedsOf(range ?? '1..10');
const files = Number(argumentOf('--files') ?? 2000);
const run = emptyRun();
const begun = Date.now();
for (const seed of seeds) await runSeed(seed, files, run, args.includes('--second'));

console.log(tableOf(run));
console.log(reasonsOf(run));
const counted = Map.groupBy(run.found, ({ kind }) => kind);
const isShown = (kind: string) =>
  args.includes('--unread') || !['not readable', 'more answers'].includes(kind);
if (args.includes('--words') || args.includes('--unread')) {
  const found = run.found.filter(({ kind }) => isShown(kind));
  for (const each of await smallestOf(found)) console.log(wordsOf(each));
}
console.log(`\nWhat no reader can decide, and is not drawn (${Object.keys(UNDECIDABLE).length} kinds):`);
for (const [name, reason] of Object.entries(UNDECIDABLE)) console.log(`  ${name}: ${reason}`);
console.log(`\n${seeds.length * files} files, ${Date.now() - begun} ms.`);
for (const [kind, all] of counted) console.log(`${String(all.length).padStart(6)}  ${kind}`);
process.exit(run.found.some(({ kind }) => isShown(kind)) ? 1 : 0);
