/** Environment and readiness of the ledger worker and the gateway as child processes. */

// They talk over the loopback without TLS. The caller's environment may have these variables for other commands.
const NO_TLS = Object.fromEntries(
  ['TLS_CERT_FILE', 'TLS_KEY_FILE', 'MTLS_CA_FILE', 'MTLS_CERT_FILE', 'MTLS_KEY_FILE'].map((name) => [
    name,
    undefined,
  ]),
);

/** This process's environment without its certificates, overridden by `own`; undefined in `own` removes a variable. */
export function serviceEnvironment(
  own: Record<string, string | undefined>,
): Record<string, string | undefined> {
  const env: Record<string, string | undefined> = { ...process.env, ...NO_TLS, ...own };
  // Their address is read from a log line of the level "info".
  if (env.LOG_LEVEL !== 'debug') env.LOG_LEVEL = 'info';
  return env;
}

/** Matches the log line `{"msg":"listening",…}` and returns the named string fields. */
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
