/** How both processes read their environment: once, checked, into a typed and frozen value. */
import { cleanEnv, makeValidator } from 'envalid';

type Specs = Parameters<typeof cleanEnv>[1];

/**
 * Checks `env` against envalid's `specs`.
 * @throws Error with one sentence that names every missing or bad variable, without its value: it may be a secret.
 */
export function readEnvironment<S extends Specs>(env: NodeJS.ProcessEnv, specs: S) {
  return cleanEnv(env, specs, {
    reporter: ({ errors }) => {
      const faults = Object.entries(errors).map(([name, error]) => `${name} ${fault(error as Error)}`);
      if (faults.length > 0) throw new Error(`The configuration cannot be used: ${faults.join('; ')}.`);
    },
  });
}

function fault(error: Error): string {
  return error.name === 'EnvMissingError' ? 'is missing' : `is not valid (${error.message})`;
}

/** A whole number from `min` to `max`, for instance of milliseconds. */
export const wholeNumber = (min: number, max = 2 ** 31 - 1) =>
  makeValidator<number>((text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new TypeError(`expected a whole number from ${min} to ${max}`);
    }
    return value;
  });

/** A text that `pattern` matches; `expected` says so in words. */
export const matching = (pattern: RegExp, expected: string) =>
  makeValidator<string>((text) => {
    if (!pattern.test(text)) throw new TypeError(`expected ${expected}`);
    return text;
  });

/** `host:port`; port 0 lets the system choose. */
export const listenAddress = makeValidator<string>((text) => {
  const [, port] = /^[^\s]+:(\d{1,5})$/.exec(text) ?? [];
  if (port === undefined || Number(port) > 65_535) throw new TypeError('expected host:port');
  return text;
});

/** A URL that `pattern` matches, or the path of a socket where the pattern allows one. */
export const address = (pattern: RegExp, expected: string) =>
  makeValidator<string>((text) => {
    if (!pattern.test(text) || !(text.startsWith('/') || URL.canParse(text))) {
      throw new TypeError(`expected ${expected}`);
    }
    return text;
  });
