/**
 * The only loader of the .proto files: service definitions for the worker, typed promise clients for whoever
 * calls it.
 */
import { join } from 'node:path';
import {
  type CallOptions,
  type ChannelOptions,
  Client,
  credentials,
  loadPackageDefinition,
  type ServiceDefinition,
} from '@grpc/grpc-js';
import { loadSync, type MethodDefinition, type Options, type PackageDefinition } from '@grpc/proto-loader';
import type { ProtoGrpcType as AdminTypes } from './generated/admin.ts';
import type { AdminDefinition } from './generated/ledger/v1/Admin.ts';
import type { LedgerDefinition } from './generated/ledger/v1/Ledger.ts';
import type { ProtoGrpcType as LedgerTypes } from './generated/ledger.ts';

export type * from './generated/ledger/v1/Account.ts';
export type * from './generated/ledger/v1/Admin.ts';
export type * from './generated/ledger/v1/AdminSource.ts';
export type * from './generated/ledger/v1/Caller.ts';
export type * from './generated/ledger/v1/CreateEntriesReply.ts';
export type * from './generated/ledger/v1/CreateEntriesRequest.ts';
export type * from './generated/ledger/v1/CreateSourceRequest.ts';
export type * from './generated/ledger/v1/Entry.ts';
export type * from './generated/ledger/v1/ExistingEntry.ts';
export type * from './generated/ledger/v1/Key.ts';
export type * from './generated/ledger/v1/Ledger.ts';
export type * from './generated/ledger/v1/ListEntriesReply.ts';
export type * from './generated/ledger/v1/ListEntriesRequest.ts';
export type * from './generated/ledger/v1/Position.ts';
export type * from './generated/ledger/v1/Rejection.ts';
export type * from './generated/ledger/v1/Source.ts';

export const PROTO_FILES = ['ledger.proto', 'admin.proto'].map((name) => join(import.meta.dir, name));

/** A full batch in its largest form is about 1.5 MiB: 500 entries of 680 four-byte characters. */
export const MESSAGE_BYTES_MAX = 8 * 1024 * 1024;

// Every int64 of the contract fits a double: amounts end at 2^53-1.
const LOADER_OPTIONS: Options = { longs: Number, enums: String, defaults: true, arrays: true, oneofs: true };

/** All message and service definitions, as the server, its reflection service and the clients need them. */
export const packageDefinition: PackageDefinition = loadSync(PROTO_FILES, LOADER_OPTIONS);

const definitions = loadPackageDefinition(packageDefinition) as unknown as LedgerTypes & AdminTypes;
export const LedgerService = definitions.ledger.v1.Ledger.service;
export const AdminService = definitions.ledger.v1.Admin.service;

type Methods<Definition> = {
  // A ServiceDefinition has an index signature beside its named methods: only the names are wanted.
  [Name in keyof Definition as string extends Name ? never : Uncapitalize<Name & string>]: Definition[Name];
};

/** Each RPC as `(request, options?) => Promise<reply>`. A failed call rejects with grpc-js's ServiceError. */
export type PromiseClient<Definition> = {
  [Name in keyof Methods<Definition>]: Methods<Definition>[Name] extends MethodDefinition<
    infer Request,
    infer _,
    infer __,
    infer Reply
  >
    ? (request: Request, options?: CallOptions) => Promise<Reply>
    : never;
};

/** Each RPC as the function that answers it. */
export type Handlers<Definition> = {
  [Name in keyof Methods<Definition>]: Methods<Definition>[Name] extends MethodDefinition<
    infer _,
    infer Reply,
    infer Request,
    infer __
  >
    ? (request: Request) => Promise<Reply>
    : never;
};

export type LedgerClient = PromiseClient<LedgerDefinition> & { close(): void };
export type AdminClient = PromiseClient<AdminDefinition> & { close(): void };

/**
 * A client of the ledger service.
 * @param address a gRPC target: `host:port`, or `dns:///name:port` for every worker behind the name.
 */
export function createLedgerClient(address: string, options: ChannelOptions): LedgerClient {
  return promiseClient<LedgerDefinition>(address, LedgerService, options);
}

/** A client of the admin service at `host:port`. */
export function createAdminClient(address: string): AdminClient {
  return promiseClient<AdminDefinition>(address, AdminService, {});
}

function promiseClient<Definition>(address: string, service: ServiceDefinition, options: ChannelOptions) {
  const client = new Client(address, credentials.createInsecure(), {
    'grpc.max_receive_message_length': MESSAGE_BYTES_MAX,
    ...options,
  });
  const calls = Object.entries(service).map(([name, method]) => [
    name.charAt(0).toLowerCase() + name.slice(1),
    (request: object, callOptions: CallOptions = {}) =>
      new Promise((resolve, reject) => {
        client.makeUnaryRequest(
          method.path,
          method.requestSerialize,
          method.responseDeserialize,
          request,
          callOptions,
          (error, reply) => (error ? reject(error) : resolve(reply)),
        );
      }),
  ]);
  return { ...Object.fromEntries(calls), close: () => client.close() } as PromiseClient<Definition> & {
    close(): void;
  };
}
