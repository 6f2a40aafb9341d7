/** Responses that a client may get as they are, or as gzip. */

/** @param accepted the header `Accept-Encoding`; null or empty: the client does not say what it decodes */
export function acceptsGzip(accepted: string | null): boolean {
  const weights = new Map(
    (accepted ?? '')
      .replace(/\s/g, '')
      .toLowerCase()
      .split(',')
      .map((part) => {
        const [name = '', weight] = part.split(';q=');
        return [name, Number(weight ?? 1)];
      }),
  );
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}

/** The header `Vary` of such responses. @param vary as it is so far */
export const varyByEncoding = (vary: unknown) => `${vary ? `${vary}, ` : ''}Accept-Encoding`;
