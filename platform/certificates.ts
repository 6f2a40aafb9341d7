/** Certificates in files: read and checked together, and read again when they are replaced. */
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';

/** Paths of PEM files. */
export interface CertificateFiles {
  /** The certificate, followed by those between it and its authority. */
  cert: string;
  key: string;
  /** The authorities that are trusted. */
  ca?: string | undefined;
}

/** What the files hold. */
export interface Certificates {
  cert: Buffer;
  key: Buffer;
  ca: Buffer | undefined;
}

export interface FollowedCertificates {
  /** Those read last that can be used. */
  latest(): Certificates;
  onReplaced(listener: (certificates: Certificates) => void): void;
}

const LOOK_EVERY_MS = 2_000;

/**
 * @param known what was found usable before
 * @throws Error with one sentence when a file cannot be read, is no PEM, or when key and certificate are no pair
 */
function readCertificates(files: CertificateFiles, known?: Certificates): Certificates {
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
    throw new Error(`${names.join(', ')} cannot be used as certificates: ${(error as Error).message}.`);
  }
}

/**
 * Looks every two seconds whether the files hold something else. What cannot be used is not taken, so that they may be
 * replaced one after the other.
 * @throws Error with one sentence, when what they hold at first cannot be used
 */
export function followCertificates(files: CertificateFiles, log: Logger): FollowedCertificates {
  const listeners: ((certificates: Certificates) => void)[] = [];
  let latest = readCertificates(files);
  let complaint: string | undefined;
  const look = () => {
    try {
      const found = readCertificates(files, latest);
      complaint = undefined;
      if (isDeepStrictEqual(found, latest)) return;
      latest = found;
      for (const listener of listeners) listener(latest);
      log.info({ file: files.cert }, 'the certificates were replaced');
    } catch (error) {
      const { message } = error as Error;
      if (message !== complaint) log.warn(`${message} The former ones stay in use.`);
      complaint = message;
    }
  };
  // By their content: what replaces files may also replace a directory or a link to it.
  setInterval(look, LOOK_EVERY_MS).unref();
  return { latest: () => latest, onReplaced: (listener) => listeners.push(listener) };
}

/** For a process that ends before they could be replaced. @throws Error with one sentence, when the files cannot be used */
export function fixedCertificates(files: CertificateFiles): FollowedCertificates {
  const certificates = readCertificates(files);
  return { latest: () => certificates, onReplaced: () => {} };
}
