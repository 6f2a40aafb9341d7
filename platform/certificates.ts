/** Reads and checks certificate files, and reads them again when they are replaced. */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';

export interface CertificateFiles {
  /** The environment variables that have the paths are called `<prefix>_CERT_FILE` and so on. */
  prefix: 'TLS' | 'MTLS';
  /** The certificate, followed by its intermediate certificates. */
  cert: string;
  key: string;
  /** The trusted CAs. */
  ca?: string | undefined;
}

interface Certificates {
  cert: Buffer;
  key: Buffer;
  ca: Buffer | undefined;
}

export interface ProvidedCertificates {
  /** The last usable certificates. */
  latest(): Certificates;
  onReplaced(listener: (certificates: Certificates) => void): void;
}

export interface FollowedCertificates extends ProvidedCertificates {
  /** The days until the first certificate of each file expires, by variable. Negative after that. */
  daysLeft(): Record<string, number>;
}

const CHECK_EVERY_MS = 2_000;
const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS_LEFT_MIN = 14;

/**
 * @param known certificates that have passed the check before
 * @throws Error with one sentence when a file cannot be read or is not PEM, or when the key does not match the certificate
 */
function readCertificates({ prefix, ...files }: CertificateFiles, known?: Certificates): Certificates {
  try {
    const found = {
      cert: readFileSync(files.cert),
      key: readFileSync(files.key),
      ca: files.ca === undefined ? undefined : readFileSync(files.ca),
    };
    if (!isDeepStrictEqual(found, known)) {
      createSecureContext(found);
      datedIn({ prefix, ...files }, found);
    }
    return found;
  } catch (error) {
    const given = Object.entries(files).filter(([, path]) => path !== undefined);
    const names = given.map(([name, path]) => `${prefix}_${name.toUpperCase()}_FILE=${path}`);
    throw new Error(`${names.join(', ')} cannot be used as certificates: ${reasonOf(error)}.`);
  }
}

/** @throws Error that names the file, and why it cannot be used */
export function readAuthorities(file: string): Buffer {
  try {
    const ca = readFileSync(file);
    createSecureContext({ ca });
    certificatesIn(ca);
    return ca;
  } catch (error) {
    throw new Error(`${file} cannot be used as certificates: ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  const { code, message, path } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return `there is no file ${path}`;
  if (code === 'EACCES') return `the user of this process may not read ${path}`;
  // OpenSSL's words.
  if (/key.values.mismatch/i.test(message)) return 'the key belongs to another certificate';
  if (/no.start.line|bad.base64|PEM|ASN1|not.enough.data|Invalid CA/i.test(message)) {
    return 'a file is not in the PEM format, or is cut short';
  }
  if (/passphrase|password|decrypt/i.test(message))
    return 'the key is encrypted: store it without a passphrase';
  return message;
}

/**
 * Reads the files every two seconds. While the files do not match, the former certificates stay in use, so that files may be
 * replaced one after the other.
 * @throws Error with one sentence when the files cannot be used at the start
 */
export function followCertificates(files: CertificateFiles, log: Logger): FollowedCertificates {
  const listeners: ((certificates: Certificates) => void)[] = [];
  let latest = readCertificates(files);
  const warn = () => {
    for (const each of datedIn(files, latest)) {
      const problem = problemOf(each);
      if (problem) log.warn(`${each.variable}=${each.file}: the certificate of ${each.name} ${problem}`);
    }
  };
  warn();
  setInterval(warn, DAY_MS).unref();
  let lastWarning: string | undefined;
  const check = () => {
    let found: Certificates;
    try {
      found = readCertificates(files, latest);
    } catch (error) {
      const { message } = error as Error;
      if (message !== lastWarning) log.warn(`${message} The former ones stay in use.`);
      lastWarning = message;
      return;
    }
    lastWarning = undefined;
    if (isDeepStrictEqual(found, latest)) return;
    latest = found;
    warn();
    for (const listener of listeners) listener(latest);
    log.info({ file: files.cert }, 'the certificates were replaced');
  };
  // Compares content, not modification times: a replacement may also swap a directory or a link.
  setInterval(check, CHECK_EVERY_MS).unref();
  return {
    latest: () => latest,
    onReplaced: (listener) => listeners.push(listener),
    daysLeft: () => {
      const days: Record<string, number> = {};
      for (const { variable, daysLeft } of datedIn(files, latest)) {
        days[variable] = Math.min(days[variable] ?? daysLeft, daysLeft);
      }
      return days;
    },
  };
}

function datedIn({ prefix, ...files }: CertificateFiles, { cert, ca }: Certificates) {
  return Object.entries({ cert, ...(ca && { ca }) }).flatMap(([kind, content]) =>
    certificatesIn(content).map(({ subject, validFromDate: from, validToDate: to }) => {
      const [file, variable] = [files[kind as 'cert' | 'ca'], `${prefix}_${kind.toUpperCase()}_FILE`];
      return {
        variable,
        file,
        name: subject.replaceAll('\n', ', '),
        from,
        to,
        daysLeft: (to.getTime() - Date.now()) / DAY_MS,
      };
    }),
  );
}

/** @throws Error when there is none: the platform accepts a file of authorities without one */
function certificatesIn(content: Buffer): X509Certificate[] {
  const found = content
    .toString()
    .match(/-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----[^-]+-----END [A-Z0-9 ]+-----/g);
  if (!found) throw new Error('a file has no certificate');
  return found.map((pem) => new X509Certificate(pem));
}

function problemOf({ from, to, daysLeft }: ReturnType<typeof datedIn>[number]): string | undefined {
  const remedy = 'replace the file, which needs no restart';
  if (from.getTime() > Date.now())
    return `is not valid before ${from.toISOString()}: correct the clock, or ${remedy}`;
  if (daysLeft < 0) return `has expired at ${to.toISOString()} and is refused: ${remedy}`;
  if (daysLeft < DAYS_LEFT_MIN) return `expires at ${to.toISOString()}: ${remedy}`;
  return undefined;
}

/** For a short-lived process: reads the files once. @throws Error with one sentence when the files cannot be used */
export function fixedCertificates(files: CertificateFiles): ProvidedCertificates {
  const certificates = readCertificates(files);
  return { latest: () => certificates, onReplaced: () => {} };
}
