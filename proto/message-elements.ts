/**
 * Limits the requests, cancellations or responses in a message of the RPC Execute before it is decoded: decoding makes objects of
 * each, so that one message of 8 MiB could block a process for seconds. What is in one of them is not counted.
 */
import { Reader } from 'protobufjs/minimal';

/** Requests and cancellations, or responses, in one message. */
export const ELEMENTS_MAX = 64;

// ExecuteRequest.cancelled, the only packed field. ExecuteResponse has no field of this number.
const PACKED_FIELD = 2;
const LENGTH_DELIMITED = 2;

/** @returns `decode` for messages of at most ELEMENTS_MAX elements; it throws for others, and for what is no message */
export function ofFewElements<Message>(decode: (bytes: Buffer) => Message): (bytes: Buffer) => Message {
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
