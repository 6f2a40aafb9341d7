/** The Host header: a request of HTTP/1.1 has exactly one, and it names a host (RFC 9112, section 3.2). */
import { isIPv6 } from 'node:net';
import { ApiError } from '../api/errors.ts';

// A name or an IPv4 address, or an IPv6 address in brackets, each with a port or without. Underscores: containers have
// them. Two headers reach us as one, with a comma between them.
const HOST = /^(?:[\w-]+(?:\.[\w-]+)*\.?|\[(?<ipv6>[^\]%]+)\])(?::(?<port>\d{0,5}))?$/;
const PORT_MAX = 65_535;

/**
 * A proxy and the gateway must not read two different hosts out of one request.
 * @param host null without the header: Bun lets only HTTP/1.0 do without
 * @throws ApiError invalid_request
 */
export function requireHost(host: string | null): void {
  if (host === null) return;
  if (!isHost(host)) {
    throw new ApiError(
      'invalid_request',
      'Send one Host header with the name or address of the service, and its port if need be: api.example:8443.',
    );
  }
}

/** `host` or `host:port`. */
export function isHost(text: string): boolean {
  const { groups } = HOST.exec(text) ?? {};
  if (!groups) return false;
  const { ipv6, port } = groups;
  return (ipv6 === undefined || isIPv6(ipv6)) && Number(port ?? 0) <= PORT_MAX;
}
