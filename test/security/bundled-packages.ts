/** The development packages whose code is shipped: in the import page, the client library, the command and the docs page. */
import { join } from 'node:path';
import { ROOT } from '../fixtures/checkout.ts';

/** What `clients/typescript/build.ts` and `clients/web/build.ts` build. */
const BUNDLES = [
  { entrypoints: ['clients/typescript/index.ts', 'clients/typescript/import/index.ts'] },
  { entrypoints: ['clients/cli/main.ts', 'clients/mcp/main.ts'], target: 'node' as const },
  {
    entrypoints: ['clients/web/main.tsx', 'clients/web/style.css', 'clients/web/import/reader-worker.ts'],
    tsconfig: join(ROOT, 'clients/web/tsconfig.json'),
  },
];

/** `gateway/docs-page/build.ts` takes a script out of it. What it brings is not shipped. */
const DOCS_PAGE = '@scalar/fastify-api-reference';

/** @returns the names of the packages, those that the bundled ones bring included */
export async function bundledPackages(): Promise<Set<string>> {
  const names = new Set([DOCS_PAGE]);
  for (const { entrypoints, ...options } of BUNDLES) {
    const paths = entrypoints.map((path) => join(ROOT, path));
    const { metafile } = await Bun.build({
      target: 'browser',
      ...options,
      entrypoints: paths,
      metafile: true,
    });
    for (const input of Object.keys(metafile?.inputs ?? {})) {
      const [, name] = /.*\bnode_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input) ?? [];
      if (name) names.add(name);
    }
  }
  return names;
}
