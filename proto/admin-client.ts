/** A typed client of the Admin service. A failed request rejects with grpc-js's ServiceError. */
import { type CallOptions, Metadata } from '@grpc/grpc-js';
import type { ClientSecurity } from '../platform/mutual-tls.ts';
import { type Connection, connection, newClient, unary } from './client.ts';
import {
  ACTOR_METADATA,
  type AdminMethod,
  type AdminMethodName,
  AdminService,
  uncapitalize,
} from './contract.ts';

/** Each RPC as `(request, options?) => Promise<response>`. */
export type AdminClient = Connection & {
  [Name in AdminMethodName]: (
    request: AdminMethod<Name>['sent'],
    options?: CallOptions,
  ) => Promise<AdminMethod<Name>['response']>;
};

const ADMIN_CALL_MS_MAX = 10_000;

/**
 * A client of the admin service at `host:port`. The default deadline of a request is 10 s.
 * @param actor the caller's name, for the action log
 * @param security absent: plain gRPC
 */
export function createAdminClient(address: string, actor = '', security?: ClientSecurity): AdminClient {
  const metadata = new Metadata();
  metadata.set(ACTOR_METADATA, Buffer.from(actor));
  const client = newClient(address, {}, security);
  const methods = Object.entries(AdminService).map(([name, method]) => {
    const call = unary(client, method, metadata);
    const withDeadline = (request: object, options = { deadline: Date.now() + ADMIN_CALL_MS_MAX }) =>
      call(request, options);
    return [uncapitalize(name), withDeadline];
  });
  return { ...Object.fromEntries(methods), ...connection(client) };
}
