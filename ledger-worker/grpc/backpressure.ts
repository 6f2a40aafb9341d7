/** Reads the requests of a call only as fast as its peer reads the responses, which would otherwise fill the memory. */
import type { ServerDuplexStream, UntypedHandleCall, UntypedServiceImplementation } from '@grpc/grpc-js';

type Handle<Request, Response> = (call: ServerDuplexStream<Request, Response>) => void;

/** While several messages of responses wait to be sent, no more requests are read. */
export function withBackpressure<Request, Response>(
  handle: Handle<Request, Response>,
): Handle<Request, Response> {
  return (call) => {
    const write = call.write.bind(call);
    call.write = ((...args: Parameters<typeof write>) => {
      const mayContinue = write(...args);
      if (!mayContinue) call.pause();
      return mayContinue;
    }) as typeof write;
    call.on('drain', () => call.resume());
    handle(call);
  };
}

/** @param methods with streams in both directions only */
export function allWithBackpressure(methods: UntypedServiceImplementation): UntypedServiceImplementation {
  return Object.fromEntries(
    Object.entries(methods).map(([name, handle]) => [
      name,
      withBackpressure(handle as Handle<unknown, unknown>) as UntypedHandleCall,
    ]),
  );
}
