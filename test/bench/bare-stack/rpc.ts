/** The calls between the two processes of the bare stack: unary, each message a JSON text. */
import type { ServiceDefinition } from '@grpc/grpc-js';

const encode = (text: string) => Buffer.from(text);
const decode = (bytes: Buffer) => bytes.toString();

const unary = (name: string) => ({
  path: `/bare.Stack/${name}`,
  requestStream: false,
  responseStream: false,
  requestSerialize: encode,
  requestDeserialize: decode,
  responseSerialize: encode,
  responseDeserialize: decode,
});

export const CALLS = {
  create: unary('Create'),
  page: unary('Page'),
  authenticate: unary('Authenticate'),
} satisfies ServiceDefinition;
export type CallName = keyof typeof CALLS;
