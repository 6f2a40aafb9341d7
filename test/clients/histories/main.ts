/**
 * Runs histories and prints a table of the violations: `bun test/clients/histories/main.ts 1..100`. With `--words`, each history that has
 * a violation is printed too; with `--open`, each that ended without a proof and without a list; with `--all`, every history.
 */
import { endRun } from '../../fixtures/end-of-run.ts';
import { EXEMPTIONS } from './exemptions.ts';
import { runHistory } from './history.ts';
import { seedsOf } from './seeds.ts';

const args = process.argv.slice(2);
const seeds = seedsOf(args.find((arg) => !arg.startsWith('--')) ?? '1..60');
const counted = new Map<string, number[]>();
const exempt = new Map<string, number[]>();
const open = new Map<string, number[]>();
const count = (table: Map<string, number[]>, name: string, seed: number) => {
  const known = table.get(name) ?? [];
  if (!known.includes(seed)) table.set(name, [...known, seed]);
};
let violated = 0;
let failed = 0;
const begun = Date.now();
for (const seed of seeds) {
  try {
    const { violations, exempt: unknowable, isOpen, words } = await runHistory(seed);
    if (violations.length > 0) violated++;
    if (isOpen) count(open, 'Not proved, and the list is empty', seed);
    for (const { kind, circumstance } of violations) count(counted, `${kind}: ${circumstance}`, seed);
    for (const { exemption = '' } of unknowable) count(exempt, exemption, seed);
    const isShown = { '--all': true, '--words': violations.length > 0, '--open': isOpen };
    if (Object.entries(isShown).some(([option, shown]) => shown && args.includes(option))) {
      console.log([`--- seed ${seed}`, ...words].join('\n'));
    }
  } catch (error) {
    failed++;
    console.log(`seed ${seed}: ${error instanceof Error ? error.stack : error}`);
  }
}

const print = (table: Map<string, number[]>) => {
  for (const [name, found] of [...table].sort(([one], [other]) => (one < other ? -1 : 1))) {
    console.log(
      `${String(found.length).padStart(5)}  ${name}: ${found.slice(0, 12).join(' ')}${found.length > 12 ? ' …' : ''}`,
    );
  }
};
console.log(
  `\n${seeds.length} histories, ${violated} with a violation, ${failed} failed, ${Date.now() - begun} ms.`,
);
print(counted);
print(open);
console.log(`\nWhat no program can know (${Object.keys(EXEMPTIONS).length} kinds):`);
print(exempt);
await endRun();
process.exit(violated + failed > 0 ? 1 : 0);
