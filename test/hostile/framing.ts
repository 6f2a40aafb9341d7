/** Bytes that are not one well-formed request: malformed, ambiguous, nested, unfinished, or pipelined. */
import fc from 'fast-check';
import { AMBIGUOUS, CHUNKED_SHAPES, MALFORMED, UNUSUAL } from './framing-shapes.ts';
import { KEY, type RawBytes, SMUGGLED, UNCONFIRMED } from './request.ts';
import { anyCuts } from './transports.ts';
import { anyMember, type World } from './world.ts';

/** The parts of a shape. */
export interface Parts {
  /** The path that creates entries with POST. */
  path: string;
  /** Host, Authorization and Content-Type, each with its line end. */
  head: string;
  /** A body that may be stored only if the gateway accepts the whole request. */
  body: string;
  /** A complete POST that must never be executed. */
  hidden: string;
}

/** A shape by name. */
export type Shapes = Record<string, (parts: Parts) => string>;

export function anyFraming(world: World): fc.Arbitrary<RawBytes> {
  return fc
    .record({ by: anyMember(world), shaped: anyShaped, cuts: anyCuts })
    .map(
      ({ by, shaped: { name, text, responsesMax = 1, isAbandoned = false, mayCreate }, cuts }): RawBytes => {
        const path = `/api/v1/sources/${world.member(by).account.sources['uk-property']}/transactions`;
        const parts = partsFor(path, mayCreate ? UNCONFIRMED : `${SMUGGLED}: ${name}`);
        return {
          kind: 'raw',
          by,
          name,
          text: text(parts),
          cuts,
          responsesMax,
          isAbandoned,
          mayCreate: mayCreate ?? 0,
        };
      },
    );
}

interface Shaped {
  name: string;
  text: (parts: Parts) => string;
  responsesMax?: number;
  isAbandoned?: boolean;
  /** Entries that it may create; undefined: none. */
  mayCreate?: number;
}

function partsFor(path: string, description: string): Parts {
  const entry = (text: string) =>
    JSON.stringify({ date: '2026-04-06', type: 'income', amountPence: 777, description: text });
  const head = `Host: x\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\n`;
  const body = entry(description);
  const hiddenBody = entry(`${SMUGGLED}: hidden`);
  const hidden = `POST ${path} HTTP/1.1\r\n${head}Content-Length: ${hiddenBody.length}\r\n\r\n${hiddenBody}`;
  return { path, head, body, hidden };
}

const oneOf = (shapes: Shapes, options: Partial<Shaped> = {}): fc.Arbitrary<Shaped> =>
  fc.constantFrom(...Object.entries(shapes)).map(([name, text]) => ({ name, text, ...options }));

/** A request that ends early. */
const anyUnfinished: fc.Arbitrary<Shaped> = fc
  .tuple(
    fc.constantFrom('with a length', 'in chunks'),
    fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  )
  .map(([how, part]) => ({
    name: `unfinished, ${how}`,
    isAbandoned: true,
    text({ path, head, body }) {
      const framing =
        how === 'in chunks'
          ? `Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
          : `Content-Length: ${body.length}\r\n\r\n${body}`;
      const whole = `POST ${path} HTTP/1.1\r\n${head}${framing}`;
      // A chunked body without its last line end counts as complete.
      return whole.slice(0, Math.floor(part * (whole.length - 2)));
    },
  }));

/** Pipelined requests. Bun closes the connection instead of responding to all of them. */
const anyPipeline: fc.Arbitrary<Shaped> = fc
  .array(fc.constantFrom('me', 'sources', 'nowhere', 'POST', 'rejected POST'), { minLength: 2, maxLength: 5 })
  .map((steps) => ({
    name: `pipelined: ${steps.join()}`,
    responsesMax: steps.length,
    mayCreate: steps.filter((step) => step === 'POST').length,
    text({ path, head, body }) {
      const write = (content: string) => `POST ${path} HTTP/1.1\r\nContent-Length: ${content.length}\r\n`;
      return steps
        .map((step, at) => {
          const id = `X-Request-Id: step-${at}\r\n`;
          if (step === 'POST') return `${write(body)}${head}${id}\r\n${body}`;
          if (step === 'rejected POST') return `${write('[]')}${head}${id}\r\n[]`;
          return `GET /api/v1/${step} HTTP/1.1\r\n${head}${id}\r\n`;
        })
        .join('');
    },
  }));

const anyNoise: fc.Arbitrary<Shaped> = fc.uint8Array({ minLength: 1, maxLength: 60 }).map((noise) => ({
  name: 'noise',
  text: () => `${Buffer.from(noise).toString('latin1')}\r\n\r\n`,
  isAbandoned: true,
}));

const anyShaped = fc.oneof(
  { weight: 6, arbitrary: oneOf(AMBIGUOUS) },
  { weight: 6, arbitrary: oneOf(CHUNKED_SHAPES) },
  { weight: 3, arbitrary: oneOf(MALFORMED, { isAbandoned: true }) },
  { weight: 3, arbitrary: oneOf(UNUSUAL, { mayCreate: 1 }) },
  { weight: 5, arbitrary: anyUnfinished },
  { weight: 3, arbitrary: anyPipeline },
  { weight: 1, arbitrary: anyNoise },
);
