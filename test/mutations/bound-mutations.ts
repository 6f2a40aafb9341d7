/** Mutations of what keeps one client, or many strangers, from taking what others need. */
import type { Mutation } from './mutations.ts';

const UNREAD_TEST = 'test/gateway/http/unread.test.ts';

export const BOUND_MUTATIONS: Mutation[] = [
  {
    name: 'the bytes of pages that a client does not read have no bound',
    breaks: ['I8'],
    file: 'gateway/routes/json-response.ts',
    edits: [['if (!reservation.raise(body.length)) throw overloaded();', 'reservation.raise(body.length);']],
    tests: [UNREAD_TEST],
  },
  {
    name: 'an account that reads no responses may write for ever',
    breaks: ['I8'],
    file: 'gateway/routes/transactions.ts',
    edits: [['        requireRoom(caller, unreadBytes, body.bytes.length);\n', '']],
    tests: [UNREAD_TEST],
  },
  {
    name: 'the response to a write that is stored is refused because its client reads nothing',
    breaks: ['I1'],
    file: 'gateway/routes/json-response.ts',
    edits: [
      ['respond(body, to, (reservation) => reservation.force(body.length));', 'jsonResponse(body, to);'],
    ],
    tests: [UNREAD_TEST],
  },
  {
    name: 'responses count as taken only if they are read to the end',
    breaks: [],
    file: 'gateway/routes/json-response.ts',
    edits: [
      ["else signal.addEventListener('abort', close, { once: true });", ''],
      ['      cancel: close,\n', ''],
    ],
    tests: [UNREAD_TEST],
  },
  {
    name: 'strangers may leave any number of responses unread',
    breaks: ['I8'],
    file: 'gateway/routes/admission.ts',
    edits: [['!requestsInFlight.admitsStranger(server)', 'false']],
    tests: [UNREAD_TEST],
  },
  {
    name: 'responses that are not read count as requests in flight',
    breaks: ['I8'],
    file: 'gateway/routes/admission.ts',
    edits: [
      [
        "resolve({ as: 'scoped' }, async ({ request, set }) => {",
        "resolve({ as: 'scoped' }, async ({ request, server, set }) => {",
      ],
      [
        'if (!requestsInFlight.begin(request)) throw',
        'if (!requestsInFlight.begin(request) || !requestsInFlight.admitsStranger(server)) throw',
      ],
    ],
    tests: [UNREAD_TEST],
  },
  {
    name: 'made-up keys may take all requests in flight',
    breaks: ['I8'],
    file: 'gateway/access/auth.ts',
    edits: [['if (lookups >= lookupsMax) throw overloaded();', '']],
    tests: [UNREAD_TEST],
  },
  {
    name: 'small responses wait for room among the large ones that others do not read',
    breaks: ['I8'],
    file: 'gateway/routes/json-response.ts',
    edits: [['if (body.length <= BUFFERED_BYTES_MAX) return body;', '']],
    tests: [UNREAD_TEST],
  },
  {
    name: 'a small write waits for room among the responses that others do not read',
    breaks: ['I8'],
    file: 'gateway/routes/json-response.ts',
    edits: [['bodyBytes * RESULT_RATIO_MAX > BUFFERED_BYTES_MAX && ', '']],
    tests: [UNREAD_TEST],
  },
  {
    name: 'requests that a client sends ahead have their responses in one turn',
    breaks: ['I8'],
    file: 'gateway/app.ts',
    edits: [['      await nextTurn();\n', '']],
    tests: ['test/gateway/http/pipelining.test.ts'],
  },
  {
    name: 'one account may take all requests in flight',
    breaks: ['I8'],
    file: 'gateway/http/requests-in-flight.ts',
    edits: [['return reservation.raise(1);', 'reservation.raise(1);\n      return true;']],
    tests: ['test/gateway/http/bounds.test.ts'],
  },
  {
    name: 'a script that was built again since the start is a bare 500',
    breaks: ['I8'],
    file: 'gateway/routes/static-file.ts',
    edits: [['file.path !== undefined && !existsSync(file.path)', 'false']],
    tests: ['test/gateway/api/docs-page.test.ts'],
  },
];
