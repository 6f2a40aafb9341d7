/** What the ledger worker and the gateway have in common as child processes. */

// On one machine they speak with each other over the loopback; what the environment has of these is for the command line.
const NO_TLS = Object.fromEntries(
  ['TLS_CERT_FILE', 'TLS_KEY_FILE', 'MTLS_CA_FILE', 'MTLS_CERT_FILE', 'MTLS_KEY_FILE'].map((name) => [
    name,
    undefined,
  ]),
);

/** This process's environment, without its certificates, with `own` over it; what is undefined in `own` is left out. */
export function serviceEnvironment(
  own: Record<string, string | undefined>,
): Record<string, string | undefined> {
  const env: Record<string, string | undefined> = { ...process.env, ...NO_TLS, ...own };
  // Their address is known from the line they log at "info", so they must not be quieter than that.
  if (env.LOG_LEVEL !== 'debug') env.LOG_LEVEL = 'info';
  return env;
}

/** Matches the log line `{"msg":"listening",…}` and picks texts from it. */
export function serviceLine<Field extends string>(...fields: Field[]) {
  return (line: string): Record<Field, string> | undefined => {
    if (!line.includes('"listening"')) return undefined;
    const entry = parsed(line);
    if (entry?.msg !== 'listening') return undefined;
    const texts = fields.map((field) => [field, entry[field]]);
    return texts.every(([, text]) => typeof text === 'string') ? Object.fromEntries(texts) : undefined;
  };
}

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
