/** Bytes that are not one well-formed request: malformed, ambiguous, nested, unfinished, or pipelined. */
import fc from 'fast-check';
import {
  AMBIGUOUS,
  FAIR,
  HEAD,
  inChunks,
  MALFORMED,
  MALFORMED_CHUNKS,
  SOURCE,
  UNUSUAL,
  whole,
} from './framing-shapes.ts';
import { anyCuts, anyPlace } from './generators.ts';
import { type RawBytes, SMUGGLED, UNCONFIRMED } from './request.ts';
import { anyMember, type World } from './world.ts';

type Shape = Pick<RawBytes, 'text'> & Partial<RawBytes>;

export const anyFraming = (world: World): fc.Arbitrary<RawBytes> =>
  fc.record({ by: anyMember(world), shape: anyShape, cuts: anyCuts }).map(({ by, shape, cuts }) => ({
    kind: 'raw',
    by,
    cuts,
    responsesMax: 1,
    isAbandoned: false,
    mayCreate: 0,
    ...shape,
    text: shape.text.replaceAll(SOURCE, world.member(by).account.sources['uk-property']),
  }));

const oneOf = (texts: readonly string[], options: Partial<RawBytes> = {}): fc.Arbitrary<Shape> =>
  fc.constantFrom(...texts).map((text) => ({ text, ...options }));

const SMUGGLING = FAIR.replace(UNCONFIRMED, SMUGGLED);

/** A request that ends early. A chunked body without its last line end counts as complete. */
const anyUnfinished: fc.Arbitrary<Shape> = fc
  .tuple(fc.constantFrom(whole(SMUGGLING), inChunks(SMUGGLING)), anyPlace)
  .map(([text, part]) => ({ text: text.slice(0, Math.floor(part * (text.length - 3))), isAbandoned: true }));

const PIPELINED = {
  me: `GET /api/v1/me HTTP/1.1\r\n${HEAD}\r\n`,
  nowhere: `GET /api/v1/nowhere HTTP/1.1\r\n${HEAD}\r\n`,
  POST: whole(FAIR),
  'rejected POST': whole('[]'),
};

/** Bun closes the connection instead of responding to all of them. */
const anyPipeline: fc.Arbitrary<Shape> = fc
  .array(fc.constantFrom(...(Object.keys(PIPELINED) as (keyof typeof PIPELINED)[])), {
    minLength: 2,
    maxLength: 5,
  })
  .map((steps) => ({
    text: steps.map((step) => PIPELINED[step]).join(''),
    responsesMax: steps.length,
    mayCreate: steps.filter((step) => step === 'POST').length,
  }));

const anyNoise: fc.Arbitrary<Shape> = fc.uint8Array({ minLength: 1, maxLength: 60 }).map((noise) => ({
  text: `${Buffer.from(noise).toString('latin1')}\r\n\r\n`,
  isAbandoned: true,
}));

const anyShape = fc.oneof(
  { weight: 6, arbitrary: oneOf(AMBIGUOUS) },
  { weight: 6, arbitrary: oneOf(MALFORMED_CHUNKS) },
  { weight: 3, arbitrary: oneOf(MALFORMED, { isAbandoned: true }) },
  { weight: 3, arbitrary: oneOf(UNUSUAL, { mayCreate: 1 }) },
  { weight: 5, arbitrary: anyUnfinished },
  { weight: 3, arbitrary: anyPipeline },
  { weight: 1, arbitrary: anyNoise },
);
