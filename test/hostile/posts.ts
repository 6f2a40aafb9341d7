/** Generates POST requests with a hostile or an ordinary body. */
import fc from 'fast-check';
import { SOURCE_TYPES, type SourceType } from '../../proto/domain.ts';
import { anyBody } from './bodies.ts';
import { anyTransport, mostly } from './generators.ts';
import { type HttpRequest, USUAL_HEADERS } from './request.ts';
import { anyMember, type World } from './world.ts';

/** POSTs with a hostile body and an unusual transport, but ordinary headers. */
export function anyPost(world: World): fc.Arbitrary<HttpRequest> {
  const anyPostTo = (type: SourceType) =>
    fc.record({
      by: anyMember(world),
      type: fc.constant(type),
      own: mostly(30, fc.constant(true), fc.constant(false)),
      body: anyBody(type),
      transport: anyTransport,
    });
  return fc.oneof(...SOURCE_TYPES.map(anyPostTo)).map((writing) => post(world, writing));
}

/** Ordinary POSTs of valid entries. */
export function anyPlainPost(world: World): fc.Arbitrary<HttpRequest> {
  return fc
    .record({
      by: anyMember(world),
      type: fc.constantFrom(...SOURCE_TYPES),
      amounts: fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 3 }),
    })
    .map(({ by, type, amounts }) => {
      const entries = amounts.map((amountPence) => ({ date: '2026-04-06', type: 'expense', amountPence }));
      const body = Buffer.from(JSON.stringify(entries));
      return post(world, { by, type, own: true, body, transport: { cuts: [] } });
    });
}

type Writing = Required<Pick<HttpRequest, 'by' | 'body' | 'transport'>> & { type: SourceType; own: boolean };

/** A POST with ordinary headers. */
function post(world: World, { by, type, own, body, transport }: Writing): HttpRequest {
  const { sources } = world.member(own ? by : by + 1).account;
  return {
    kind: 'request',
    by,
    method: 'POST',
    target: `/api/v1/sources/${sources[type]}/transactions`,
    headers: [...USUAL_HEADERS, ['Content-Type', 'application/json']],
    body,
    transport,
    outcomes: 'by body',
    writesTo: { type, own },
  };
}
