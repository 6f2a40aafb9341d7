/** The options of each command: commander hands over what the flags say, and the code reads what its interface says. */
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import ts from 'typescript-5';
import { createProgram } from '../../../clients/cli/program.ts';
import type { Io } from '../../../clients/settings/io.ts';

const FOLDER = join(import.meta.dir, '../../../clients/cli');

/** The file and the interface of each command with options of its own. */
const INTERFACES = {
  push: ['push/push-options.ts', 'PushCommandOptions'],
  reconcile: ['reconcile/reconcile-options.ts', 'ReconcileOptions'],
  figures: ['figures/figures-options.ts', 'FiguresOptions'],
  pull: ['pull.ts', 'PullOptions'],
  summary: ['summary.ts', 'SummaryOptions'],
  conformance: ['conformance.ts', 'ConformanceCommandOptions'],
} as const;

/** Members that come from no flag. */
const GIVEN = ['io', 'args'];

const program = createProgram([], {} as Io, () => {});
const sources = ts.createProgram(
  Object.values(INTERFACES).map(([file]) => join(FOLDER, file)),
  {
    allowImportingTsExtensions: true,
    module: ts.ModuleKind.Preserve,
    noEmit: true,
    lib: ['lib.es2020.d.ts'],
    resolveJsonModule: true,
    strict: true,
    types: [],
  },
);
const checker = sources.getTypeChecker();

function membersOf(file: string, name: string): string[] {
  const source = sources.getSourceFile(join(FOLDER, file));
  const found = source?.statements.find((each) => ts.isInterfaceDeclaration(each) && each.name.text === name);
  if (!found) throw new Error(`${file} has no interface ${name}`);
  return checker.getPropertiesOfType(checker.getTypeAtLocation(found)).map((member) => member.name);
}

test.each(Object.entries(INTERFACES))(
  'each member of the options of %s has a flag, and each flag a member',
  (command, [file, name]) => {
    const { options = [] } = program.commands.find((each) => each.name() === command) ?? {};
    const flags = [...program.options, ...options].map((option) => option.attributeName());
    const members = membersOf(file, name).filter((member) => !GIVEN.includes(member));
    expect(members.sort()).toEqual([...new Set(flags)].filter((flag) => flag !== 'version').sort());
  },
);

test('each command with an option of its own is above', () => {
  const withOptions = program.commands.filter(({ options }) => options.length > 0).map((each) => each.name());
  expect(withOptions.sort()).toEqual([...Object.keys(INTERFACES), 'login'].sort());
});
