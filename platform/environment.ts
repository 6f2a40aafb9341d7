/** Reads and checks environment variables into a typed, frozen object. */
import { isIPv6 } from 'node:net';
import { cleanEnv, makeValidator } from 'envalid';
import type { CertificateFiles } from './certificates.ts';

type Specs = Parameters<typeof cleanEnv>[1];

/**
 * @throws Error with one sentence that names every missing or invalid variable, without its value, which may be a secret.
 */
export function readEnvironment<S extends Specs>(env: NodeJS.ProcessEnv, specs: S) {
  // The specification of OpenTelemetry treats an empty variable as absent.
  const isGiven = ([name, value]: [string, unknown]) => !(name.startsWith('OTEL_') && value === '');
  return cleanEnv(Object.fromEntries(Object.entries(env).filter(isGiven)), specs, {
    reporter: ({ errors }) => {
      const faults = Object.entries(errors).map(([name, error]) => `${name} ${fault(error as Error)}`);
      if (faults.length > 0) throw new Error(`The configuration cannot be used: ${faults.join('; ')}.`);
    },
  });
}

/** @throws Error with one sentence if only some variables of a group are set */
export function allOrNone<C extends object>(config: C, ...groups: (keyof C & string)[][]): C {
  for (const group of groups) {
    const missing = group.filter((name) => config[name] === undefined);
    if (missing.length === 0 || missing.length === group.length) continue;
    throw new Error(
      `The configuration cannot be used: ${group.join(', ')} are set together or not at all, and there is no ${missing.join(', ')}.`,
    );
  }
  return config;
}

function fault(error: Error): string {
  return error.name === 'EnvMissingError' ? 'is missing' : `is not valid (${error.message})`;
}

export const wholeNumber = (min: number, max = 2 ** 31 - 1) =>
  makeValidator<number>((text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new TypeError(`expected a whole number from ${min} to ${max}`);
    }
    return value;
  });

const textThat = (isValid: (text: string) => boolean, expected: string) =>
  makeValidator<string>((text) => {
    if (!isValid(text)) throw new TypeError(`expected ${expected}`);
    return text;
  });

export const matching = (pattern: RegExp, expected: string) =>
  textThat((value) => pattern.test(value), expected);

/** True or false, in any case, or as yes and no, on and off, 1 and 0. */
export const toggle = makeValidator<boolean>((text) => {
  if (/^(true|t|yes|on|1)$/i.test(text)) return true;
  if (/^(false|f|no|off|0)$/i.test(text)) return false;
  throw new TypeError('expected true or false');
});

// A name, an IPv4 address, or an IPv6 address in brackets.
const HOST_AND_PORT = String.raw`([\w.-]+|\[[\da-f:.]+\]):\d{1,5}`;
const GRPC_TARGET = new RegExp(
  `^((dns:(//[^/]*/)?)?${HOST_AND_PORT}|ipv[46]:${HOST_AND_PORT}(,${HOST_AND_PORT})*|unix:.+)$`,
  'i',
);

/** The target of a gRPC client, with a port: the library would take port 443 for a target without one, and `http` for a name. */
export const grpcTarget = textThat(
  (value) => GRPC_TARGET.test(value),
  'host:port, or a gRPC target such as dns:///host:port',
);

const HOST_AND_PORT_ONLY = new RegExp(`^${HOST_AND_PORT}$`, 'i');

/** `host:port`; port 0 lets the system choose. */
export const listenAddress = textThat(
  (value) => HOST_AND_PORT_ONLY.test(value) && Number(/\d+$/.exec(value)) <= 65_535,
  'host:port, with an IPv6 address in brackets',
);

export const host = textThat(
  (value) => /^[\w.-]+$/.test(value) || isIPv6(value),
  'an address without brackets and without a port, which is in PORT',
);

/** A URL that matches `pattern`, or the path of a socket where the pattern allows one. */
export const address = (pattern: RegExp, expected: string) =>
  textThat((value) => pattern.test(value) && (value.startsWith('/') || isAddress(value)), expected);

/** Whether a text is a URL whose user and password can be decoded: a percent sign itself is `%25`. */
export function isAddress(text: string): boolean {
  try {
    decodeURIComponent(text);
    return URL.canParse(text);
  } catch {
    return false;
  }
}

export const collector = address(
  /^https?:\/\/[^@?#]+$/,
  'an http:// or https:// address, without user and password',
);

export const fraction = makeValidator<number>((text) => {
  const value = Number(text);
  if (!/^[\d.]+(e-\d+)?$/.test(text) || !(value >= 0 && value <= 1)) {
    throw new TypeError('expected a number from 0 to 1');
  }
  return value;
});

export const file = () => matching(/\S/, 'the path of a file')({ default: undefined });

/** The three files of mutual TLS between gateway, worker and command line. Absent: gRPC without TLS. */
export const MUTUAL_TLS = { MTLS_CA_FILE: file(), MTLS_CERT_FILE: file(), MTLS_KEY_FILE: file() };

export const MUTUAL_TLS_NAMES = Object.keys(MUTUAL_TLS) as (keyof typeof MUTUAL_TLS)[];

/** @param config checked by `allOrNone` */
export function mutualTlsFiles(
  config: Partial<Record<keyof typeof MUTUAL_TLS, string | undefined>>,
): CertificateFiles | undefined {
  const { MTLS_CA_FILE: ca, MTLS_CERT_FILE: cert, MTLS_KEY_FILE: key } = config;
  return ca && cert && key ? { prefix: 'MTLS', ca, cert, key } : undefined;
}
