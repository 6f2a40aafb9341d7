/** Rules about the account, its sources, the categories and the description. */
import { paths } from '../../typescript/openapi.json';
import { SCHEMAS } from '../described.ts';
import type { Json } from '../exchange.ts';
import { expectError, expectSame, expectStatus, expectThat } from '../expect.ts';
import type { ConformanceRule } from '../rule.ts';

const TYPES = ['uk-property', 'foreign-property', 'self-employment'] as const;

export const resourceRules: ConformanceRule[] = [
  {
    id: 'me.account',
    page: 'docs/api/requests.md#authentication',
    sentence: 'GET /me shows the account of the key, its plan and its rights.',
    async check({ account }) {
      const response = await account.get('/api/v1/me');
      expectStatus(response, 200);
      const { plan, capabilities } = response.body;
      expectThat(response, ['pro', 'expat', 'firm'].includes(plan), 'a plan that has API access');
      const expected = { readBookkeeping: true, writeBookkeeping: true, hmrcSubmission: false };
      expectSame(response, capabilities, expected, 'the capabilities');
    },
  },
  {
    id: 'sources.count',
    page: 'docs/api/references.md#repeat-a-request',
    sentence: 'transactionCount goes up by the created entries, not by known and refused ones.',
    async check(context) {
      const { account } = context;
      const count = async () => {
        const response = await account.get('/api/v1/sources');
        expectStatus(response, 200);
        const source = response.body.sources.find(({ id }: Json) => id === account.source.id);
        return { response, count: source?.transactionCount };
      };
      const before = (await count()).count;
      const date = context.day();
      const entries = context.entries(date, 3);
      await account.create(entries);
      await account.post(entries);
      await account.post([context.entry(date), context.entry(date, { amountPence: 0 })]);
      const after = await count();
      expectSame(after.response, after.count, before + 3, 'transactionCount');
    },
  },
  {
    id: 'sources.no-changes',
    page: 'docs/api/error-codes.md#method_not_allowed',
    sentence: 'Sources are read-only: no request creates one.',
    async check({ account }) {
      const body = JSON.stringify({ name: 'Conformance', type: 'uk-property' });
      const headers = { 'content-type': 'application/json' };
      const response = await account.request('/api/v1/sources', { method: 'POST', headers, body });
      expectError(response, 405, 'method_not_allowed');
    },
  },
  {
    id: 'categories.all',
    page: 'docs/api/categories.md#find-the-keys',
    sentence: 'GET /categories has a set for each type of source, with the keys of the tax return.',
    async check({ account }) {
      const response = await account.get('/api/v1/categories');
      expectStatus(response, 200);
      for (const type of TYPES) {
        for (const kind of ['income', 'expense'] as const) {
          const keys: string[] = response.body[type]?.[kind]?.map(({ key }: Json) => key) ?? [];
          const missing = KEYS[type][kind].split(' ').filter((key) => !keys.includes(key));
          expectSame(response, missing, [], `the missing ${kind} keys of ${type}`);
        }
      }
    },
  },
  {
    id: 'categories.one-type',
    page: 'docs/api/categories.md#find-the-keys',
    sentence: 'GET /categories with a sourceType has the set of that type.',
    async check({ account }) {
      const all = await account.get('/api/v1/categories');
      for (const type of TYPES) {
        const response = await account.get(`/api/v1/categories?sourceType=${type}`);
        expectStatus(response, 200);
        expectSame(response, response.body, all.body[type], `the set of ${type}`);
      }
    },
  },
  {
    id: 'categories.unknown-type',
    page: 'docs/api/error-codes.md#invalid_source_type',
    sentence: 'A sourceType that is none of the three is 422 invalid_source_type.',
    async check({ account }) {
      for (const type of ['boat', '', 'UK-PROPERTY', 'constructor']) {
        expectError(await account.get(`/api/v1/categories?sourceType=${type}`), 422, 'invalid_source_type');
      }
    },
  },
  {
    id: 'description.public',
    page: 'docs/api/requests.md#methods-and-paths',
    sentence: 'The description and its page need no key and are not limited.',
    async check({ account }) {
      for (const path of ['/api/v1/openapi.json', '/api/v1/docs']) {
        const response = await account.stranger(path);
        expectStatus(response, 200);
        expectSame(response, response.headers.get('x-ratelimit-remaining'), null, 'X-RateLimit-Remaining');
      }
    },
  },
  {
    id: 'description.nothing-removed',
    page: 'docs/api/versions.md#what-stays',
    sentence:
      'Within version 1 no endpoint, parameter, member or error code is removed, and none becomes required.',
    async check({ account }) {
      const response = await account.stranger('/api/v1/openapi.json');
      const { openapi, info, paths: served, components } = response.body;
      expectThat(
        response,
        /^3\.1\./.test(openapi) && info?.version === '1.0.0',
        'OpenAPI 3.1 and version 1.0.0',
      );
      const removed = Object.entries<Json>(paths).flatMap(([path, operations]) =>
        Object.entries<Json>(operations).flatMap(([method, { parameters = [] }]) => {
          const operation = served?.[path]?.[method];
          if (!operation) return [`${method} ${path}`];
          const names: string[] = operation.parameters?.map(({ name }: Json) => name) ?? [];
          return parameters.flatMap(({ name }: Json) => (names.includes(name) ? [] : [`${path} ${name}`]));
        }),
      );
      for (const [name, { properties = {} }] of Object.entries(SCHEMAS)) {
        const members = components?.schemas?.[name]?.properties ?? {};
        removed.push(...Object.keys(properties).flatMap((key) => (key in members ? [] : [`${name}.${key}`])));
      }
      expectSame(response, removed, [], 'what is removed');
      const { required } = components.schemas.TransactionInput;
      expectSame(
        response,
        required.toSorted(),
        ['amountPence', 'date', 'type'],
        'the required fields of an entry',
      );
    },
  },
];

/** The keys of the tax return. The API can add others. */
const KEYS = {
  'uk-property': {
    income:
      'periodAmount premiumsOfLeaseGrant reversePremiums otherIncome rentARoomRentsReceived taxDeducted',
    expense:
      'premisesRunningCosts repairsAndMaintenance financialCosts residentialFinancialCost professionalFees costOfServices travelCosts other residentialFinancialCostsCarriedForward rentARoomAmountClaimed',
  },
  'foreign-property': {
    income:
      'rentIncome premiumsOfLeaseGrant otherPropertyIncome foreignTaxPaidOrDeducted specialWithholdingTaxOrUkTaxPaid',
    expense:
      'premisesRunningCosts repairsAndMaintenance financialCosts residentialFinancialCost professionalFees costOfServices travelCosts other broughtFwdResidentialFinancialCost',
  },
  'self-employment': {
    income: 'turnover other seTaxDeducted',
    expense:
      'costOfGoods paymentsToSubcontractors wagesAndStaffCosts carVanTravelExpenses premisesRunningCosts maintenanceCosts adminCosts advertisingCosts interestOnBankOtherLoans professionalFees otherExpenses',
  },
};
