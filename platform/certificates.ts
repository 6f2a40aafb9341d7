/** Reads and checks certificate files, and reads them again when they are replaced. */
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';

/** Paths of PEM files. */
export interface CertificateFiles {
  /** The environment variables that have the paths, for messages. */
  variables: string;
  /** The certificate, followed by its intermediate certificates. */
  cert: string;
  key: string;
  /** The trusted CAs. */
  ca?: string | undefined;
}

/** The content of the files. */
export interface Certificates {
  cert: Buffer;
  key: Buffer;
  ca: Buffer | undefined;
}

export interface FollowedCertificates {
  /** The last usable certificates. */
  latest(): Certificates;
  onReplaced(listener: (certificates: Certificates) => void): void;
}

const CHECK_EVERY_MS = 2_000;

/**
 * @param known certificates that have passed the check before
 * @throws Error with one sentence when a file cannot be read or is not PEM, or when the key does not match the certificate
 */
function readCertificates({ variables, ...files }: CertificateFiles, known?: Certificates): Certificates {
  try {
    const found = {
      cert: readFileSync(files.cert),
      key: readFileSync(files.key),
      ca: files.ca === undefined ? undefined : readFileSync(files.ca),
    };
    if (!isDeepStrictEqual(found, known)) createSecureContext(found);
    return found;
  } catch (error) {
    const names = Object.values(files).filter((file) => file !== undefined);
    throw new Error(`${variables}: ${names.join(', ')} cannot be used as certificates: ${reasonOf(error)}.`);
  }
}

function reasonOf(error: unknown): string {
  const { code, message, path } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return `there is no file ${path}`;
  if (code === 'EACCES') return `the user of this process may not read ${path}`;
  // OpenSSL's words.
  if (/key.values.mismatch/i.test(message)) return 'the key belongs to another certificate';
  if (/no.start.line|bad.base64|PEM|ASN1|not.enough.data/i.test(message)) {
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
    for (const listener of listeners) listener(latest);
    log.info({ file: files.cert }, 'the certificates were replaced');
  };
  // Compares content, not modification times: a replacement may also swap a directory or a link.
  setInterval(check, CHECK_EVERY_MS).unref();
  return { latest: () => latest, onReplaced: (listener) => listeners.push(listener) };
}

/** For a short-lived process: reads the files once. @throws Error with one sentence when the files cannot be used */
export function fixedCertificates(files: CertificateFiles): FollowedCertificates {
  const certificates = readCertificates(files);
  return { latest: () => certificates, onReplaced: () => {} };
}
