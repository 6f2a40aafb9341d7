/** The rules of URLs and keys. They keep the key from others: on its way, and in messages about a malformed header or URL. */

const THIS_MACHINE = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

export interface EncryptionOptions {
  /** Allows `http` to another machine. */
  insecure?: boolean | undefined;
}

/** Whether a key has the form of one: a word of ASCII characters. */
export const isKey = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);

/** Why a text is not the URL of a service. Undefined if it is one. */
export function urlFaultOf(text: string): 'malformed' | 'has credentials' | undefined {
  if (!URL.canParse(text)) return 'malformed';
  const { protocol, username, password } = new URL(text);
  if (!/^https?:$/.test(protocol)) return 'malformed';
  return username || password ? 'has credentials' : undefined;
}

/**
 * Explains how others could read the key on its way to a URL. Undefined if they cannot.
 * @param option for the message: it allows `http` to another machine
 */
export function exposureOf(
  url: string,
  { insecure = false }: EncryptionOptions,
  option: string,
): string | undefined {
  const { protocol, hostname } = new URL(url);
  if (protocol === 'https:') return undefined;
  if (!insecure && !THIS_MACHINE.test(hostname)) {
    return `${url} is not encrypted, and others could read the API key on its way: use https, or add ${option}.`;
  }
  return usesProxiesOfNode()
    ? `NODE_USE_ENV_PROXY is set: Node would send requests to ${url} through a proxy, which could read the API key. Unset it, or use https.`
    : undefined;
}

/** Only Node has this agent, and makes it the global one if its options are set. */
function usesProxiesOfNode(): boolean {
  const agent = (globalThis as Record<symbol, object | undefined>)[Symbol.for('undici.globalDispatcher.1')];
  return agent?.constructor.name === 'EnvHttpProxyAgent';
}

/** Sends a request without encryption through no proxy, which could read it. Bun has the option, and others ignore it. */
export function directFetch(request: Request): Promise<Response> {
  const direct: object = { proxy: false };
  return globalThis.fetch(request, request.url.startsWith('http:') ? direct : {});
}
