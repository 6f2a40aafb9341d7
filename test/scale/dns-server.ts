/** A DNS server that returns a changeable list of addresses for every name. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const HEAD_BYTES = 12;
const A_RECORD = 1;
const IN_CLASS = 1;
// A compressed name: the offset of the name in the question.
const POINTER = 0xc0_0c;
// QR, AA, RD and RA: an authoritative response with recursion available.
const FLAGS = 0x85_80;

export interface DnsServer {
  /** `host:port` */
  address: string;
  /** The IPv4 addresses in every response. */
  addresses: string[];
  close(): void;
}

export async function startDnsServer(addresses: string[]): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const server = { address: '', addresses, close: () => socket.close() };
  socket.on('message', (query, { port, address }) => {
    socket.send(responseTo(query, server.addresses), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  server.address = `127.0.0.1:${socket.address().port}`;
  return server;
}

// No caching.
const TTL_S = 0;

function responseTo(query: Buffer, addresses: readonly string[]): Buffer {
  const endOfName = query.indexOf(0, HEAD_BYTES) + 1;
  const question = query.subarray(HEAD_BYTES, endOfName + 4);
  const records =
    query.readUInt16BE(endOfName) === A_RECORD ? addresses.map((address) => record(address)) : [];
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt16BE(query.readUInt16BE(0), 0);
  head.writeUInt16BE(FLAGS, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(records.length, 6);
  return Buffer.concat([head, question, ...records]);
}

function record(address: string): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeUInt16BE(POINTER, 0);
  bytes.writeUInt16BE(A_RECORD, 2);
  bytes.writeUInt16BE(IN_CLASS, 4);
  bytes.writeUInt32BE(TTL_S, 6);
  bytes.writeUInt16BE(4, 10);
  bytes.set(address.split('.').map(Number), 12);
  return bytes;
}
