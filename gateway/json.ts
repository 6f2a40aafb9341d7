/** JSON as it was written: numbers that were not written as integers are kept apart. */

/** A number written with a fraction or an exponent, even where its value is whole. */
export class WrittenFloat {
  constructor(readonly source: string) {}
}

/**
 * Parses strict JSON.
 * @throws SyntaxError, or RangeError when it is nested too deeply
 */
export function parseJson(text: string): unknown {
  return JSON.parse(text, keepWrittenFloats);
}

function keepWrittenFloats(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number') return value;
  const source = context?.source ?? String(value);
  return /[.eE]/.test(source) ? new WrittenFloat(source) : value;
}
