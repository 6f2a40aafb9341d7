/**
 * `bun run audit`: what the registry knows of vulnerabilities in the packages that are shipped (`dependencies` and what
 * they bring, not `devDependencies`).
 *
 * Ends with 1 for an advisory of moderate severity or above, and for whatever keeps the question from being answered;
 * with 0 when there is none. Where the registry has no advisories to ask for, as some mirrors, or is out of reach, it
 * ends with 0 too and says that nothing was audited.
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

// Bun names the endpoint, and why there is no answer: a status, or an error of the connection.
const NOTHING_TO_ASK = /^error: POST \S+\/advisories\/bulk - (404|405|ConnectionRefused|DNSResolveFailed)\n$/;

const bun = Bun.spawn([process.execPath, 'audit', '--json', '--production'], {
  cwd: join(import.meta.dir, '../..'),
  stdout: 'pipe',
  stderr: 'pipe',
  timeout: AUDIT_MS_MAX,
});
const [out, err] = await Promise.all([bun.stdout.text(), bun.stderr.text()]);
await bun.exited;

if (NOTHING_TO_ASK.test(err)) {
  console.log('not audited: the registry offers no advisories');
} else if (err !== '' || !out.startsWith('{')) {
  console.error(err || 'bun audit gave no answer');
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
