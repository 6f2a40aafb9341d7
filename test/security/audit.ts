/**
 * `bun run audit`: known vulnerabilities in the packages that are shipped, as the registry lists them: `dependencies` and what they
 * bring, and the development packages that are bundled.
 *
 * The exit code is 1 for an advisory of moderate severity or above, for a response that it cannot read, and when nothing was audited
 * because the registry has no advisories, as some mirrors, or is unavailable. With `--where-possible` the last of these passes.
 */
import { runToEnd } from '../fixtures/checkout.ts';
import { bundledPackages } from './bundled-packages.ts';

interface Advisory {
  name: string;
  url: string;
  title: string;
  severity: string;
  vulnerable_versions: string;
}

const MINOR = ['info', 'low'];
const AUDIT_MS_MAX = 60_000;

// Bun names the endpoint and the reason: a status, or an error of the connection.
const NO_ADVISORIES = /^error: POST \S+\/advisories\/bulk - (404|405|ConnectionRefused|DNSResolveFailed)\n$/;

class NotAudited extends Error {}

/** @throws NotAudited, or Error when the response cannot be read */
async function advisoriesFor(...options: string[]): Promise<Advisory[]> {
  const command = [process.execPath, 'audit', '--json', ...options];
  const { out, err } = await runToEnd(command, { timeout: AUDIT_MS_MAX });
  if (NO_ADVISORIES.test(err)) throw new NotAudited('not audited: the registry offers no advisories');
  if (err !== '' || !out.startsWith('{')) throw new Error(err || 'bun audit printed no JSON');
  const byName = Object.entries(JSON.parse(out) as Record<string, Omit<Advisory, 'name'>[]>);
  return byName.flatMap(([name, found]) => found.map((advisory) => ({ ...advisory, name })));
}

async function shippedAdvisories(): Promise<Advisory[]> {
  const production = await advisoriesFor('--production');
  const bundled = await bundledPackages();
  const others = (await advisoriesFor()).filter(
    ({ name, url }) =>
      bundled.has(name) && !production.some((known) => known.name === name && known.url === url),
  );
  return [...production, ...others];
}

try {
  const advisories = await shippedAdvisories();
  for (const { name, severity, vulnerable_versions, title, url } of advisories) {
    console.log(`${severity}: ${name} ${vulnerable_versions}: ${title} (${url})`);
  }
  const grave = advisories.filter(({ severity }) => !MINOR.includes(severity));
  console.log(`audited: ${grave.length} of moderate severity or above`);
  process.exitCode = grave.length > 0 ? 1 : 0;
} catch (error) {
  console.error((error as Error).message);
  const passes = error instanceof NotAudited && process.argv.includes('--where-possible');
  process.exitCode = passes ? 0 : 1;
}
