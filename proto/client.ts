/**
 * The only loader of the .proto files: service definitions for the worker, typed promise clients for whoever
 * calls it.
 */
import { join } from 'node:path';
import {
  type CallOptions,
  type ChannelOptions,
  Client,
  type ClientDuplexStream,
  credentials,
  loadPackageDefinition,
  Metadata,
  type ServiceDefinition,
} from '@grpc/grpc-js';
import { loadSync, type MethodDefinition, type Options, type PackageDefinition } from '@grpc/proto-loader';
import { service as healthService, type ServingStatus } from 'grpc-health-check';
import type { ClientSecurity } from '../platform/mutual-tls.ts';
import type { Span } from '../platform/tracing.ts';
import type { ProtoGrpcType as AdminTypes } from './generated/admin.ts';
import type { AdminDefinition } from './generated/ledger/v1/Admin.ts';
import type { Answer, Answer__Output } from './generated/ledger/v1/Answer.ts';
import type { AskReply__Output as AskReply } from './generated/ledger/v1/AskReply.ts';
import type { AskRequest } from './generated/ledger/v1/AskRequest.ts';
import type { Question, Question__Output } from './generated/ledger/v1/Question.ts';
import type { ProtoGrpcType as LedgerTypes } from './generated/ledger.ts';

export type * from './generated/ledger/v1/Account.ts';
export type * from './generated/ledger/v1/Action.ts';
export type * from './generated/ledger/v1/Admin.ts';
export type * from './generated/ledger/v1/AdminEntry.ts';
export type * from './generated/ledger/v1/AdminSource.ts';
export type * from './generated/ledger/v1/Answer.ts';
export type * from './generated/ledger/v1/AskReply.ts';
export type * from './generated/ledger/v1/AskRequest.ts';
export type * from './generated/ledger/v1/Caller.ts';
export type * from './generated/ledger/v1/Created.ts';
export type * from './generated/ledger/v1/CreateEntriesRequest.ts';
export type * from './generated/ledger/v1/DailyCapReached.ts';
export type * from './generated/ledger/v1/InvalidCategories.ts';
export type * from './generated/ledger/v1/Key.ts';
export type * from './generated/ledger/v1/Page.ts';
export type * from './generated/ledger/v1/Question.ts';
export type * from './generated/ledger/v1/Rejection.ts';
export type * from './generated/ledger/v1/Source.ts';
export type * from './generated/ledger/v1/TraceContext.ts';

export const PROTO_FILES = ['ledger.proto', 'admin.proto'].map((name) => join(import.meta.dir, name));

/** Above what the largest body that the gateway takes can become. */
export const MESSAGE_BYTES_MAX = 8 * 1024 * 1024;

// Every int64 of the contract fits a double: amounts end at 2^53-1.
const LOADER_OPTIONS: Options = { longs: Number, enums: String, defaults: true, arrays: true, oneofs: true };

/** The messages and the service of each file, as servers, their reflection and the clients need them. */
export const [ledgerPackage, adminPackage] = PROTO_FILES.map((file) => loadSync(file, LOADER_OPTIONS)) as [
  PackageDefinition,
  PackageDefinition,
];

export const LedgerService = (loadPackageDefinition(ledgerPackage) as unknown as LedgerTypes).ledger.v1.Ledger
  .service;
export const AdminService = (loadPackageDefinition(adminPackage) as unknown as AdminTypes).ledger.v1.Admin
  .service;

/** What can be asked, by the names of its messages. */
export type QuestionName = NonNullable<Question__Output['question']>;
export type RequestOf<Name extends QuestionName> = NonNullable<Question[Name]>;
export type ReplyOf<Name extends QuestionName> = NonNullable<Answer__Output[Name]>;

/** What a call tells about who waits for its answer. */
export interface CallContext {
  /** Aborted when nobody waits any more: the client gave up, or the deadline passed. */
  cancelled: AbortSignal;
  /** Until the call's deadline, in ms; Infinity without one. */
  remainingMs(): number;
  /** Where it is part of a trace. */
  span?: Span | undefined;
}

/** What a call of the Admin service tells beside that. */
export interface AdminCall extends CallContext {
  /** Who calls, for the log of actions. */
  actor(): string;
}

/** Each question as the function that answers it. */
export type LedgerHandlers = {
  [Name in QuestionName]: (
    request: NonNullable<Question__Output[Name]>,
    call: CallContext,
  ) => Promise<NonNullable<Answer[Name]>>;
};

type AdminMethods = {
  // A ServiceDefinition has an index signature beside its named methods: only the names are wanted.
  [Name in keyof AdminDefinition as string extends Name
    ? never
    : Uncapitalize<Name & string>]: AdminDefinition[Name];
};
type MethodOf<Name extends keyof AdminMethods> =
  AdminMethods[Name] extends MethodDefinition<infer Sent, infer Answered, infer Request, infer Reply>
    ? { sent: Sent; answered: Answered; request: Request; reply: Reply }
    : never;

/** Each RPC of the Admin service as the function that answers it. */
export type AdminHandlers = {
  [Name in keyof AdminMethods]: (
    request: MethodOf<Name>['request'],
    call: AdminCall,
  ) => Promise<MethodOf<Name>['answered']>;
};

/** A call of the RPC Ask: it fails with grpc-js's ServiceError. */
export type AskCall = ClientDuplexStream<AskRequest, AskReply>;

interface Connection {
  /** The status by the gRPC health protocol; UNKNOWN when nobody answers. */
  checkHealth(service: string, options: CallOptions): Promise<ServingStatus>;
  close(): void;
}

export interface LedgerClient extends Connection {
  ask(): AskCall;
}

/** Each RPC as `(request, options?) => Promise<reply>`. A failed call rejects with grpc-js's ServiceError. */
export type AdminClient = Connection & {
  [Name in keyof AdminMethods]: (
    request: MethodOf<Name>['sent'],
    options?: CallOptions,
  ) => Promise<MethodOf<Name>['reply']>;
};

/**
 * A client of the ledger service.
 * @param address a gRPC target: `host:port`, or `dns:///name:port` for every worker behind the name.
 * @param security of platform/mutual-tls.ts; absent: plain gRPC
 */
export function createLedgerClient(
  address: string,
  options: ChannelOptions,
  security?: ClientSecurity,
): LedgerClient {
  const client = newClient(address, options, security);
  const { path, requestSerialize, responseDeserialize } = LedgerService.Ask;
  return {
    ...connection(client),
    ask: () => client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize),
  };
}

const ADMIN_CALL_MS_MAX = 10_000;

/** By what a caller of the admin service names itself; "-bin", because a name may have any letters. */
export const ACTOR_METADATA = 'actor-bin';

/**
 * A client of the admin service at `host:port`. A call that says nothing else gives up after 10 s.
 * @param actor who calls, for the log of actions
 * @param security of platform/mutual-tls.ts; absent: plain gRPC
 */
export function createAdminClient(address: string, actor = '', security?: ClientSecurity): AdminClient {
  const metadata = new Metadata();
  metadata.set(ACTOR_METADATA, Buffer.from(actor));
  const client = newClient(address, {}, security);
  const methods = Object.entries(AdminService).map(([name, method]) => [
    uncapitalize(name),
    unary(client, method, metadata),
  ]);
  return { ...Object.fromEntries(methods), ...connection(client) };
}

function newClient(address: string, options: ChannelOptions, security?: ClientSecurity): Client {
  return new Client(address, security?.credentials ?? credentials.createInsecure(), {
    'grpc.max_receive_message_length': MESSAGE_BYTES_MAX,
    ...options,
    ...security?.options,
  });
}

function connection(client: Client): Connection {
  const check = unary(client, healthService.Check as AnyMethod);
  return {
    checkHealth: (service, options) =>
      check({ service }, options).then(
        (reply) => (reply as { status: ServingStatus }).status,
        () => 'UNKNOWN',
      ),
    close: () => client.close(),
  };
}

function unary(
  client: Client,
  { path, requestSerialize, responseDeserialize }: AnyMethod,
  metadata = new Metadata(),
) {
  return (request: object, options: CallOptions = { deadline: Date.now() + ADMIN_CALL_MS_MAX }) =>
    new Promise<unknown>((resolve, reject) => {
      client.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        request,
        metadata,
        options,
        (error, reply) => (error ? reject(error) : resolve(reply)),
      );
    });
}

type AnyMethod = ServiceDefinition[string];

/** A row as a message: what is absent is null in a row, and left out of a message. */
export function withoutNulls<Message>(row: object): Message {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Message;
}

/** The name of an RPC as that of a function. */
export function uncapitalize(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
