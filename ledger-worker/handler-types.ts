/** The handlers of the two services, as types. */
import type { Span } from '../platform/tracing.ts';
import type {
  AdminMethod,
  AdminMethodName,
  LedgerRequest__Output,
  LedgerResponse,
  MethodName,
} from '../proto/contract.ts';

/** The context of a request: its limits, and its trace. */
export interface RpcContext {
  /** Aborted when the client has cancelled the request, or its timeout has passed. */
  signal: AbortSignal;
  /** ms until the timeout. */
  remainingMs(): number;
  /** Undefined when the request is not traced. */
  span?: Span | undefined;
}

export interface AdminContext {
  /** Aborted when the caller has cancelled the request, or its deadline has passed. */
  signal: AbortSignal;
  /** The caller, for the action log. */
  actor(): string;
}

/** One handler for each method of a LedgerRequest. */
export type LedgerHandlers = {
  [Name in MethodName]: (
    request: NonNullable<LedgerRequest__Output[Name]>,
    context: RpcContext,
  ) => Promise<NonNullable<LedgerResponse[Name]>>;
};

/** One handler for each RPC of the Admin service. */
export type AdminHandlers = {
  [Name in AdminMethodName]: (
    request: AdminMethod<Name>['request'],
    context: AdminContext,
  ) => Promise<AdminMethod<Name>['returned']>;
};
