/** The syntax of a host, as in the Host header, which an HTTP/1.1 request has once (RFC 9112, section 3.2). */
import { isIPv6 } from 'node:net';

// A name or an IPv4 address, or an IPv6 address in brackets, with an optional port. Underscores occur in container names. Two
// headers arrive as one, joined by a comma, and do not match.
const HOST = /^(?:[\w-]+(?:\.[\w-]+)*\.?|\[(?<ipv6>[^\]%]+)\])(?::(?<port>\d{0,5}))?$/;
const PORT_MAX = 65_535;

export function isHost(text: string): boolean {
  const { groups } = HOST.exec(text) ?? {};
  if (!groups) return false;
  const { ipv6, port } = groups;
  return (ipv6 === undefined || isIPv6(ipv6)) && Number(port ?? 0) <= PORT_MAX;
}
