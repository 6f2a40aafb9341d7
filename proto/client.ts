/** A typed client of the Ledger service, and the parts of every client. A failed request rejects with grpc-js's ServiceError. */
import {
  type CallOptions,
  type ChannelOptions,
  Client,
  type ClientDuplexStream,
  credentials,
  Metadata,
  type ServiceDefinition,
  type ServiceError,
} from '@grpc/grpc-js';
import { service as healthService, type ServingStatus } from 'grpc-health-check';
import type { ClientSecurity } from '../platform/mutual-tls.ts';
import {
  CONTRACT_METADATA,
  DATABASE_TIME_METADATA,
  type DatabaseTime,
  type ExecuteRequest,
  type ExecuteResponse__Output as ExecuteResponse,
  KEY_PREFIX_METADATA,
  LedgerService,
  MESSAGE_BYTES_MAX,
} from './contract.ts';
import { CONTRACT } from './domain.ts';

export type ExecuteStream = ClientDuplexStream<ExecuteRequest, ExecuteResponse>;

interface HealthObserver {
  // A closed client throws, without the details of a response.
  onError?(error: Error & Partial<ServiceError>): void;
  /** The times of the database as the worker reports them: none from one of an earlier release, or without its database. */
  onTimes?(times: DatabaseTime[]): void;
}

export interface Connection {
  /** The status by the gRPC health protocol; UNKNOWN when there is no response, after a call of `onError`. */
  checkHealth(service: string, options: CallOptions, observer?: HealthObserver): Promise<ServingStatus>;
  close(): void;
}

export interface LedgerClient extends Connection {
  execute(options?: CallOptions): ExecuteStream;
}

/**
 * A client of the ledger service.
 * @param address a gRPC target: `host:port`, or `dns:///name:port` for every worker behind the name.
 * @param security absent: plain gRPC
 * @param keyPrefix of the API keys that the caller accepts. A worker that creates other keys refuses the requests
 */
export function createLedgerClient(
  address: string,
  options: ChannelOptions,
  security?: ClientSecurity,
  keyPrefix?: string,
): LedgerClient {
  const client = newClient(address, options, security);
  const { path, requestSerialize, responseDeserialize } = LedgerService.Execute;
  const metadata = new Metadata();
  metadata.set(CONTRACT_METADATA, String(CONTRACT.number));
  if (keyPrefix !== undefined) metadata.set(KEY_PREFIX_METADATA, keyPrefix);
  return {
    ...connection(client, metadata),
    execute: (options) =>
      client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, metadata, options),
  };
}

export function newClient(address: string, options: ChannelOptions, security?: ClientSecurity): Client {
  return new Client(address, security?.credentials ?? credentials.createInsecure(), {
    'grpc.max_receive_message_length': MESSAGE_BYTES_MAX,
    ...options,
    ...security?.options,
  });
}

export function connection(client: Client, metadata?: Metadata): Connection {
  const check = unary(client, healthService.Check as AnyMethod, metadata);
  return {
    checkHealth: (service, options, { onError, onTimes } = {}) =>
      check({ service }, options, (metadata) => onTimes?.(timesIn(metadata))).then(
        (response) => (response as { status: ServingStatus }).status,
        (error) => {
          onError?.(error);
          return 'UNKNOWN';
        },
      ),
    close: () => client.close(),
  };
}

function timesIn(metadata: Metadata): DatabaseTime[] {
  return metadata.get(DATABASE_TIME_METADATA).map((text) => {
    const [earliestMs = Number.NaN, latestMs = Number.NaN] = `${text}`.split(' ').map(Number);
    return { earliestMs, latestMs };
  });
}

export function unary(
  client: Client,
  { path, requestSerialize, responseDeserialize }: AnyMethod,
  metadata = new Metadata(),
) {
  return (request: object, options: CallOptions, onMetadata: (metadata: Metadata) => void = () => {}) =>
    new Promise<unknown>((resolve, reject) => {
      const call = client.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        request,
        metadata,
        options,
        (error, response) => (error ? reject(error) : resolve(response)),
      );
      call.on('metadata', onMetadata);
    });
}

type AnyMethod = ServiceDefinition[string];
