/** Certificates for a test: an authority of its own, what it signs, and the files in which a process finds them. */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate, type SubjectAltNameEntry } from 'selfsigned';

/** PEM. */
export interface Pair {
  cert: string;
  key: string;
}

export interface Authority {
  cert: string;
  /** @param names DNS names and IP addresses; of this machine when absent. */
  issue(commonName: string, names?: string[]): Promise<Pair>;
}

const HERE = ['localhost', '127.0.0.1'];
const KEYS = { keyType: 'ec', algorithm: 'sha256' } as const;

export async function newAuthority(name: string): Promise<Authority> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: name }], {
    ...KEYS,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  return {
    cert,
    async issue(commonName, names = HERE) {
      const issued = await generate([{ name: 'commonName', value: commonName }], {
        ...KEYS,
        ca: { key, cert },
        extensions: [
          { name: 'basicConstraints', cA: false },
          { name: 'keyUsage', digitalSignature: true },
          { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
          { name: 'subjectAltName', altNames: names.map(altName) },
        ],
      });
      return { cert: issued.cert, key: issued.private };
    },
  };
}

function altName(name: string): SubjectAltNameEntry {
  return /^[\d.]+$/.test(name) ? { type: 7, ip: name } : { type: 2, value: name };
}

export interface Files {
  cert: string;
  key: string;
  ca: string;
  /** Each file at once, but one after the other, as an operator's tool does it. */
  write(pair: Pair, ca: string): void;
  remove(): void;
}

/** Files in a directory of their own, which every user may read: Postgres runs as another one. */
export function newFiles(pair: Pair, ca: string): Files {
  const directory = mkdtempSync(join(tmpdir(), 'ledger-certificates-'));
  const [certFile, keyFile, caFile] = ['cert.pem', 'key.pem', 'ca.pem'].map((name) => join(directory, name));
  const files = { cert: certFile as string, key: keyFile as string, ca: caFile as string };
  const replace = (file: string, text: string) => {
    writeFileSync(`${file}.new`, text, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  };
  const write = (pair: Pair, ca: string) => {
    replace(files.cert, pair.cert);
    replace(files.key, pair.key);
    replace(files.ca, ca);
  };
  write(pair, ca);
  return { ...files, write, remove: () => rmSync(directory, { recursive: true }) };
}
