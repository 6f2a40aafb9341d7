/**
 * `bun run audit`: known vulnerabilities in the packages that are shipped (`dependencies` and what they bring, not
 * `devDependencies`), as the registry lists them.
 *
 * The exit code is 1 for an advisory of moderate severity or above and for a response that it cannot read, otherwise 0. It is
 * also 0 where the registry has no advisories, as some mirrors, or is out of reach: then it reports that nothing was audited.
 */
import { join } from 'node:path';

interface Advisory {
  url: string;
  title: string;
  severity: string;
  vulnerable_versions: string;
}

const MINOR = ['info', 'low'];
const AUDIT_MS_MAX = 60_000;

// Bun names the endpoint and the reason: a status, or an error of the connection.
const NO_ADVISORIES = /^error: POST \S+\/advisories\/bulk - (404|405|ConnectionRefused|DNSResolveFailed)\n$/;

const bun = Bun.spawn([process.execPath, 'audit', '--json', '--production'], {
  cwd: join(import.meta.dir, '../..'),
  stdout: 'pipe',
  stderr: 'pipe',
  timeout: AUDIT_MS_MAX,
});
const [out, err] = await Promise.all([bun.stdout.text(), bun.stderr.text()]);
await bun.exited;

if (NO_ADVISORIES.test(err)) {
  console.log('not audited: the registry offers no advisories');
} else if (err !== '' || !out.startsWith('{')) {
  console.error(err || 'bun audit printed no JSON');
  process.exitCode = 1;
} else {
  const advisories = Object.entries(JSON.parse(out) as Record<string, Advisory[]>).flatMap(([name, found]) =>
    found.map((advisory) => ({ name, ...advisory })),
  );
  for (const { name, severity, vulnerable_versions, title, url } of advisories) {
    console.log(`${severity}: ${name} ${vulnerable_versions}: ${title} (${url})`);
  }
  const grave = advisories.filter(({ severity }) => !MINOR.includes(severity));
  console.log(`audited: ${grave.length} of moderate severity or above`);
  process.exitCode = grave.length > 0 ? 1 : 0;
}
