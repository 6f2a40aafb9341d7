/** The syntax of hosts: in the Host header, which an HTTP/1.1 request has once (RFC 9112, section 3.2), and in CORS_ORIGINS. */
import { isIPv6 } from 'node:net';
import { makeValidator } from 'envalid';

// A name or an IPv4 address, or an IPv6 address in brackets, with an optional port. Underscores occur in container names. Two
// headers arrive as one, joined by a comma, and do not match.
const HOST = /^(?:[\w-]+(?:\.[\w-]+)*\.?|\[(?<ipv6>[^\]%]+)\])(?::(?<port>\d{0,5}))?$/;
const PORT_MAX = 65_535;

/** Whether `text` is `host` or `host:port`. */
export function isHost(text: string): boolean {
  const { groups } = HOST.exec(text) ?? {};
  if (!groups) return false;
  const { ipv6, port } = groups;
  return (ipv6 === undefined || isIPv6(ipv6)) && Number(port ?? 0) <= PORT_MAX;
}

/** Validates a list of origins as browsers send them, separated by commas. */
export const origins = makeValidator<string[]>((text) => {
  const list = text.split(',').map((each) => each.trim());
  const wrong = list.findIndex((each) => !isOrigin(each));
  if (wrong !== -1) {
    throw new TypeError(
      `expected origins as browsers send them, such as https://books.example, with commas between them; number ${wrong + 1} is not an origin`,
    );
  }
  return list;
});

/** `scheme://host` or `scheme://host:port` in lower case, without the default port of http and https. */
function isOrigin(text: string): boolean {
  const [, scheme, host = ''] = /^([a-z][a-z\d+.-]*):\/\/([^A-Z]+)$/.exec(text) ?? [];
  if (scheme === undefined || !isHost(host)) return false;
  return !/^https?$/.test(scheme) || URL.parse(text)?.origin === text;
}
