/** The pages for people: their links, files and commands exist. */
import { describe, expect, test } from 'bun:test';
import { basename, dirname, join } from 'node:path';
import { isThere as exists, files as FILES, read } from './fixtures/checkout.ts';

/** Without their folders. */
const NAMES = new Set(FILES.map((file) => basename(file)));
const PAGES = FILES.filter((file) => /^(\w+|clients\/\w+\/README|docs\/(api\/)?[\w-]+)\.md$/.test(file));

const README_LINES_MAX = 150;

/** Placeholders, files that a command of the page creates, and names of other things. */
const NO_FILES = [
  'ledger-worker/sql/migrations/NNNN_name.sql',
  'deploy/secrets/postgres-password',
  'deploy/secrets',
  'deploy/ledger-worker',
];

/** The links of a page to other pages or headings, as written. */
function linksOf(text: string): string[] {
  const links = [...withoutCode(text).matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
  return links.filter((link) => !/^https?:/.test(link));
}

/** The anchors that GitHub gives to the headings of a page. */
function anchorsOf(text: string): string[] {
  return [...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replace(/ /g, '-'),
  );
}

function withoutCode(text: string): string {
  return text.replace(/^ *```.*?^ *```/gms, '');
}

/** The files and folders that a page names: paths from the root of the repository, and names without a folder. */
function filesOf(text: string): { paths: string[]; names: string[] } {
  const folders = 'gateway|ledger-worker|proto|platform|admin|clients|local|test|deploy|docs';
  const paths = [...text.matchAll(new RegExp(`(?<![\\w./-])(?:${folders})/[\\w./-]*`, 'g'))];
  const names = [...text.matchAll(/`([\w-]+\.(?:md|json|yaml|toml|ts))`/g)];
  return {
    paths: paths.map(([path]) => path.replace(/\.$/, '')).filter((path) => !NO_FILES.includes(path)),
    names: names.map(([, name = '']) => name),
  };
}

/** The scripts that a page calls, each with the folder of its package.json. */
function scriptsOf(text: string): { folder: string; name: string }[] {
  const calls = text.matchAll(/\bbun(?:@[\d.]+)? run (?:--cwd (\S+) )?([a-z][\w:-]*)/g);
  return [...calls].map(([, folder = '.', name = '']) => ({ folder, name }));
}

test('a page that is wrong is found out', () => {
  expect(linksOf('[a](b.md#c), [d](https://e.example)\n```sh\n[x](y)\n```\n')).toEqual(['b.md#c']);
  expect(anchorsOf('# A: *b* `c_d`\n')).toEqual(['a-b-c_d']);
  expect(filesOf('`bun test/none.ts`, in docs/. Not /api/v1/docs/x, but `none.json`')).toEqual({
    paths: ['test/none.ts', 'docs/'],
    names: ['none.json'],
  });
  expect(scriptsOf('npx --yes bun@1.4.5 run check:all, `bun run --cwd a/b none`')).toEqual([
    { folder: '.', name: 'check:all' },
    { folder: 'a/b', name: 'none' },
  ]);
});

describe.each(PAGES)('%s', (page) => {
  const text = read(page);

  test('every link leads to a page, and to a heading of it', () => {
    const broken = linksOf(text).filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : join(dirname(page), path);
      return !exists(target) || (anchor !== undefined && !anchorsOf(read(target)).includes(anchor));
    });
    expect(broken).toEqual([]);
  });

  test('every file that it names exists', () => {
    const { paths, names } = filesOf(text);
    expect(paths.filter((path) => !exists(path))).toEqual([]);
    expect(names.filter((name) => !NAMES.has(name))).toEqual([]);
  });

  test('every command that it names is in package.json', () => {
    const isScript = ({ folder, name }: { folder: string; name: string }) =>
      name in JSON.parse(read(join(folder, 'package.json'))).scripts;
    expect(scriptsOf(text).filter((call) => !isScript(call))).toEqual([]);
  });
});

/** Names of the code that a page says to be in a file, as `a`, `b` and `c` in `folder/file.ts`. */
const namesIn = (text: string) =>
  [...text.matchAll(/((?:`\w+`(?:, | and )?)+) in `([\w./-]+\.ts)`/g)].flatMap(([, names = '', file = '']) =>
    [...names.matchAll(/\w+(?=`)/g)].map(([name]) => ({ name, file })),
  );

test('every name that CONTRIBUTING.md says to be in a file is there', () => {
  expect(namesIn('`a`, `b` and `c` in `x/y.ts`')).toEqual(
    ['a', 'b', 'c'].map((name) => ({ name, file: 'x/y.ts' })),
  );
  const named = namesIn(read('CONTRIBUTING.md'));
  expect(named.length).toBeGreaterThan(20);
  // A path may begin in the folder that its table names.
  const textsOf = (path: string) => FILES.filter((file) => `/${file}`.endsWith(`/${path}`)).map(read);
  const isThere = ({ name, file }: (typeof named)[number]) =>
    textsOf(file).some((text) => new RegExp(`\\b${name}\\b`).test(text));
  expect(named.filter((each) => !isThere(each))).toEqual([]);
});

test('every page that another file names exists', () => {
  const named = FILES.flatMap((file) =>
    [...read(file).matchAll(/(?<!v1\/)\bdocs\/[\w/-]+\.md\b/g)].map(([page]) => page),
  );
  expect(named.length).toBeGreaterThan(10);
  expect([...new Set(named)].filter((page) => !exists(page))).toEqual([]);
});

test('the README is short, and leads to every page', () => {
  const readme = read('README.md');
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(README_LINES_MAX);
  const others = PAGES.filter((page) => page !== 'README.md');
  expect(others.filter((page) => !linksOf(readme).includes(page))).toEqual([]);
});
