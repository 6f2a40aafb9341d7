/** Explains why an address cannot be listened on. */

const REASONS: Record<string, string> = {
  EADDRINUSE: 'another process listens there: stop it, or choose another port',
  EADDRNOTAVAIL:
    'this machine has no such address: 0.0.0.0 is all of its addresses, 127.0.0.1 this machine alone',
  EACCES: 'this user may not listen on that port: choose one from 1024 on',
  ENOTFOUND: 'no address is known for that name',
};

/** @param variables that set the address */
export function bindError(variables: string, address: string, error: unknown): Error {
  const { code = '', message } = error as { code?: string; message?: string };
  // grpc-js has the code in its message only.
  const known = Object.keys(REASONS).find((each) => each === code || message?.includes(each));
  return new Error(`${variables}: cannot listen on ${address}, ${known ? REASONS[known] : message}.`, {
    cause: error,
  });
}
