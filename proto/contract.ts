/** The contract of proto/*.proto as TypeScript: loaded services, message types, and limits. */
import { join } from 'node:path';
import { loadPackageDefinition } from '@grpc/grpc-js';
import { loadSync, type MethodDefinition, type Options } from '@grpc/proto-loader';
import { Reader } from 'protobufjs/minimal';
import type { ProtoGrpcType as AdminTypes } from './generated/admin.ts';
import type { AdminDefinition } from './generated/ledger/v1/Admin.ts';
import type { LedgerRequest, LedgerRequest__Output } from './generated/ledger/v1/LedgerRequest.ts';
import type { LedgerResponse__Output } from './generated/ledger/v1/LedgerResponse.ts';
import type { ProtoGrpcType as LedgerTypes } from './generated/ledger.ts';

export type * from './generated/messages.ts';

export const PROTO_FILES = ['ledger.proto', 'admin.proto'].map((name) => join(import.meta.dir, name));

/** Limit of one gRPC message: the largest accepted body is 5 MiB, and its entries gain their ids on the way. */
export const MESSAGE_BYTES_MAX = 8 * 1024 * 1024;

/** Requests and cancellations, or responses, in one message of the RPC Execute. */
const ELEMENTS_MAX = 64;

// Every int64 of the contract fits a double: amounts end at 2^53-1.
const LOADER_OPTIONS: Options = { longs: Number, enums: String, defaults: true, arrays: true, oneofs: true };

const packages = loadPackageDefinition(loadSync(PROTO_FILES, LOADER_OPTIONS)) as unknown as LedgerTypes &
  AdminTypes;

const { Execute } = packages.ledger.v1.Ledger.service;
export const LedgerService = {
  Execute: {
    ...Execute,
    requestDeserialize: ofFewElements(Execute.requestDeserialize),
    responseDeserialize: ofFewElements(Execute.responseDeserialize),
  },
};
export const AdminService = packages.ledger.v1.Admin.service;

/** The methods of a LedgerRequest, by the names of its fields. */
export type MethodName = NonNullable<LedgerRequest__Output['method']>;
export type RequestOf<Name extends MethodName> = NonNullable<LedgerRequest[Name]>;
export type ResponseOf<Name extends MethodName> = NonNullable<LedgerResponse__Output[Name]>;

type AdminMethods = {
  // A ServiceDefinition also has an index signature: only the named methods are wanted.
  [Name in keyof AdminDefinition as string extends Name
    ? never
    : Uncapitalize<Name & string>]: AdminDefinition[Name];
};

/** The messages of an RPC of the Admin service, as its client and as its handler see them. */
export type AdminMethod<Name extends keyof AdminMethods> =
  AdminMethods[Name] extends MethodDefinition<infer Sent, infer Returned, infer Request, infer Response>
    ? { sent: Sent; returned: Returned; request: Request; response: Response }
    : never;

export type AdminMethodName = keyof AdminMethods;

// Keys of metadata.
/** The name of a caller of the Admin service: "-bin", because names are UTF-8. */
export const ACTOR_METADATA = 'actor-bin';
/** The number of a gateway's contract. */
export const CONTRACT_METADATA = 'contract';
/** A gateway's prefix of API keys. */
export const KEY_PREFIX_METADATA = 'key-prefix';
/** The times of a worker's database servers, in the response to a health check. */
export const DATABASE_TIME_METADATA = 'database-time';

/** The time of a database server lies between these, in ms since the epoch. */
export interface DatabaseTime {
  earliestMs: number;
  latestMs: number;
}

/** The name of a method in traces and logs. */
export function rpcName(name: MethodName): string {
  return `ledger.v1.Ledger/${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** The name of an RPC as the name of its handler. */
export function uncapitalize(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

// ExecuteRequest.cancelled, the only packed field. ExecuteResponse has no field of this number.
const PACKED_FIELD = 2;
const LENGTH_DELIMITED = 2;

/**
 * `decode` for messages of at most ELEMENTS_MAX elements, which are counted before: decoding makes objects of each, so that one message
 * of 8 MiB could block a process for seconds. The content of an element is not counted.
 */
function ofFewElements<Message>(decode: (bytes: Buffer) => Message): (bytes: Buffer) => Message {
  return (bytes) => {
    if (hasMoreThan(ELEMENTS_MAX, bytes)) throw new Error(`more than ${ELEMENTS_MAX} elements in a message`);
    return decode(bytes);
  };
}

/** Counts the fields, and the values of the packed field. Does not look into other fields. */
function hasMoreThan(max: number, message: Uint8Array): boolean {
  const reader = Reader.create(message);
  let count = 0;
  while (reader.pos < reader.len && count <= max) {
    const tag = reader.uint32();
    const wireType = tag & 7;
    if (tag >>> 3 === PACKED_FIELD && wireType === LENGTH_DELIMITED) {
      const end = reader.uint32() + reader.pos;
      for (; reader.pos < end && count <= max; count++) reader.uint32();
    } else {
      reader.skipType(wireType);
      count++;
    }
  }
  return count > max;
}

/** Splits elements into messages of at most ELEMENTS_MAX, and of `bytesMax` if an element does not exceed that by itself. */
export function messagesOf<Element>(
  elements: readonly Element[],
  bytesMax: number,
  bytesOf: (element: Element) => number,
): Element[][] {
  const messages: Element[][] = [];
  let bytes = 0;
  for (const element of elements) {
    const last = messages.at(-1);
    bytes += bytesOf(element);
    if (last && last.length < ELEMENTS_MAX && bytes <= bytesMax) {
      last.push(element);
    } else {
      messages.push([element]);
      bytes = bytesOf(element);
    }
  }
  return messages;
}
