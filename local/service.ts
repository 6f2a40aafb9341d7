/** What the ledger worker and the gateway have in common as child processes. */

/** This process's environment with `own` over it; what is undefined in `own` is left out. */
export function serviceEnvironment(
  own: Record<string, string | undefined>,
): Record<string, string | undefined> {
  const env: Record<string, string | undefined> = { ...process.env, ...own };
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
