/**
 * The cases of HMRC's own tests of its validators, as facts in our words and with our values: property-business-api (abd512fb), its cumulative summaries of UK
 * property and of property abroad in 2025-26 and since 2026-27; self-employment-business-api (b73c5878), its cumulative summary. Each case is held to our
 * check or to our rules.
 *
 * Cases that figures cannot lead to are left out. Figures have no path of a request: the taxpayer, the business, the tax year. They always have both days,
 * in their form and order. Each object of a summary has an amount, 0 if there is none. No category is an expense that is not allowed. The codes of countries
 * are HMRC's, one for each country, and all property of a country is one item.
 */

/** A summary with an amount in each field that a category has. */
export type Summary = Record<string, unknown>;
type Change = (summary: Summary) => void;

export type Case = { what: string } & (
  | {
      /** Each makes one summary; without any, the whole one. */
      of?: Change[];
      /** The violations of each summary; none if HMRC accepts it. */
      refused: string[][];
    }
  /** Lines of the rules that are refused, because HMRC would refuse the summary. */
  | { rules: string[][] }
);

const ID = '8e8b8450-dc1b-4360-8109-7067337b42cb';
const PROPERTY_EXPENSES = [
  ...['premisesRunningCosts', 'repairsAndMaintenance', 'financialCosts', 'professionalFees'],
  ...['costOfServices', 'travelCosts', 'other'],
];
const UK_INCOME = ['periodAmount', 'premiumsOfLeaseGrant', 'reversePremiums', 'otherIncome', 'taxDeducted'];
const ABROAD_INCOME = [
  ...['premiumsOfLeaseGrant', 'otherPropertyIncome', 'foreignTaxPaidOrDeducted'],
  'specialWithholdingTaxOrUkTaxPaid',
];
const TRADE_EXPENSES = [
  ...['costOfGoods', 'paymentsToSubcontractors', 'wagesAndStaffCosts', 'carVanTravelExpenses'],
  ...['premisesRunningCosts', 'maintenanceCosts', 'adminCosts', 'advertisingCosts'],
  ...['interestOnBankOtherLoans', 'professionalFees', 'otherExpenses'],
];
const amounts = (...names: string[]) => Object.fromEntries(names.map((name, index) => [name, 100.5 + index]));

export const wholeUk = (): Summary => ({
  ukProperty: {
    income: { ...amounts(...UK_INCOME), rentARoom: { rentsReceived: 7.25 } },
    expenses: {
      ...amounts(...PROPERTY_EXPENSES, 'residentialFinancialCost', 'residentialFinancialCostsCarriedForward'),
      rentARoom: { amountClaimed: 3.75 },
    },
  },
});

const itemAbroad = (facts: object) => ({
  ...facts,
  income: { rentIncome: { rentAmount: 81.2 }, ...amounts(...ABROAD_INCOME) },
  expenses: amounts(...PROPERTY_EXPENSES, 'residentialFinancialCost', 'broughtFwdResidentialFinancialCost'),
});
/** Two items. */
export const wholeAbroad = {
  2025: (): Summary => ({
    foreignProperty: [itemAbroad({ countryCode: 'FRA' }), itemAbroad({ countryCode: 'ITA' })],
  }),
  2026: (): Summary => ({
    foreignProperty: [itemAbroad({ propertyId: ID }), itemAbroad({ propertyId: `${ID.slice(0, -1)}c` })],
  }),
};

export const wholeTrade = (): Summary => ({
  periodIncome: amounts('turnover', 'other'),
  // Each of these may be below zero.
  periodExpenses: Object.fromEntries(TRADE_EXPENSES.map((name, index) => [name, -5.25 - index])),
});

/** Sets the value at a path; undefined removes it. */
const set =
  (path: string, value: unknown): Change =>
  (summary) => {
    const names = path.split('.');
    const last = names.pop() ?? '';
    // biome-ignore lint/suspicious/noExplicitAny: a path into any summary
    const at = names.reduce<any>((object, name) => object[name], summary);
    if (value === undefined) delete at[last];
    else at[last] = value;
  };
const all =
  (...changes: Change[]): Change =>
  (summary) => {
    for (const change of changes) change(summary);
  };
const under = (place: string, ...names: string[]) => names.map((name) => `${place}.${name}`);

/** Each amount with three decimals. */
const decimals = (paths: string[]) => ({
  of: paths.map((path) => set(path, 12.345)),
  refused: paths.map((path) => [`${path} decimals`]),
});
/** One sum beside the expenses that it replaces. */
const both = (place: string, names: string[]) => ({
  of: [set(`${place}.consolidatedExpenses`, 55.5)],
  refused: [under(place, ...names).map((path) => `${path} exclusive`)],
});

const ofUk = decimals([
  ...under('ukProperty.income', ...UK_INCOME, 'rentARoom.rentsReceived'),
  ...under('ukProperty.expenses', ...PROPERTY_EXPENSES, 'residentialFinancialCost'),
  ...under('ukProperty.expenses', 'residentialFinancialCostsCarriedForward', 'rentARoom.amountClaimed'),
]);

export const UK_CASES: Case[] = [
  { what: 'every amount', refused: [[]] },
  {
    what: 'one sum, below zero, beside residential finance costs and rent-a-room',
    of: [
      all(
        ...under('ukProperty.expenses', ...PROPERTY_EXPENSES).map((path) => set(path, undefined)),
        set('ukProperty.expenses.consolidatedExpenses', -77.1),
      ),
    ],
    refused: [[]],
  },
  {
    what: 'an empty object, or an amount with three decimals',
    of: [set('ukProperty', {}), set('ukProperty.income', {}), set('ukProperty.expenses', {}), ...ofUk.of],
    refused: [
      ['ukProperty.income empty', 'ukProperty.expenses empty'],
      ['ukProperty.income empty'],
      ['ukProperty.expenses empty'],
      ...ofUk.refused,
    ],
  },
  {
    what: 'an empty object but for a field that HMRC does not have',
    of: [set('ukProperty', { other: 100 })],
    refused: [['ukProperty.income empty', 'ukProperty.expenses empty']],
  },
  {
    what: 'several amounts with three decimals',
    of: [all(...under('ukProperty.expenses', 'other', 'travelCosts').map((path) => set(path, 9.876)))],
    refused: [under('ukProperty.expenses', 'other', 'travelCosts').map((path) => `${path} decimals`)],
  },
  { what: 'one sum beside single expenses', ...both('ukProperty.expenses', PROPERTY_EXPENSES) },
];

const FIRST = 'foreignProperty.0';
const ABROAD_AMOUNTS = [
  ...under(`${FIRST}.income`, 'rentIncome.rentAmount', ...ABROAD_INCOME),
  ...under(`${FIRST}.expenses`, ...PROPERTY_EXPENSES, 'residentialFinancialCost'),
  `${FIRST}.expenses.broughtFwdResidentialFinancialCost`,
];
const ofAbroad = decimals(ABROAD_AMOUNTS);

/** The cases that both forms of property abroad have. */
const abroadCases = (name: 'countryCode' | 'propertyId'): Case[] => [
  { what: 'every amount', refused: [[]] },
  {
    what: 'one sum of the expenses',
    of: [set(`${FIRST}.expenses`, { consolidatedExpenses: 29.35 })],
    refused: [[]],
  },
  {
    what: 'an empty item',
    of: [set(FIRST, {})],
    refused: [[`${FIRST}.${name} required`, `${FIRST}.income empty`, `${FIRST}.expenses empty`]],
  },
  ...['expenses', 'income'].map((part) => ({
    what: `an item with empty ${part}`,
    of: [set(`${FIRST}.${part}`, {})],
    refused: [[`${FIRST}.${part} empty`]],
  })),
  {
    what: 'an item with neither',
    of: [all(set(`${FIRST}.income`, undefined), set(`${FIRST}.expenses`, undefined))],
    refused: [[`${FIRST}.income empty`, `${FIRST}.expenses empty`]],
  },
  { what: 'an amount with three decimals', ...ofAbroad },
  {
    what: 'several amounts with three decimals, and the one sum with three',
    of: [
      all(...under(`${FIRST}.expenses`, 'financialCosts', 'travelCosts').map((path) => set(path, 9.876))),
      set(`${FIRST}.expenses`, { consolidatedExpenses: 9.876 }),
    ],
    refused: [
      under(`${FIRST}.expenses`, 'financialCosts', 'travelCosts').map((path) => `${path} decimals`),
      [`${FIRST}.expenses.consolidatedExpenses decimals`],
    ],
  },
  { what: 'one sum beside single expenses', ...both(`${FIRST}.expenses`, PROPERTY_EXPENSES) },
  {
    what: 'the same in two items',
    of: [all(...[0, 1].map((at) => set(`foreignProperty.${at}.expenses.consolidatedExpenses`, 55.5)))],
    refused: [
      [0, 1].flatMap((at) =>
        under(`foreignProperty.${at}.expenses`, ...PROPERTY_EXPENSES).map((path) => `${path} exclusive`),
      ),
    ],
  },
];

export const ABROAD_CASES: Record<2025 | 2026, Case[]> = {
  2025: [
    ...abroadCases('countryCode'),
    {
      what: 'a code in another form',
      of: [set(`${FIRST}.countryCode`, 'FR')],
      refused: [[`${FIRST}.countryCode required`]],
    },
    {
      what: 'two codes in another form',
      of: [all(set(`${FIRST}.countryCode`, 'FRANCE'), set('foreignProperty.1.countryCode', '380'))],
      refused: [[`${FIRST}.countryCode required`, 'foreignProperty.1.countryCode required']],
    },
  ],
  2026: [
    ...abroadCases('propertyId'),
    {
      what: 'one id twice',
      rules: [[`HMRC's id of "Source 3" is ${ID}`, `HMRC's id of "Source 4" is ${ID}`]],
    },
    {
      what: 'an id in another form',
      rules: [
        [`HMRC's id of "Source 3" is ${ID.slice(1)}`],
        [`HMRC's id of "Source 3" is ${ID.replaceAll('-', '')}`],
      ],
    },
    {
      what: 'two ids in another form',
      rules: [[`HMRC's id of "Source 3" is none`, `HMRC's id of "Source 4" is none`]],
    },
  ],
};

const TRADE_AMOUNTS = [
  ...under('periodIncome', 'turnover', 'other'),
  ...under('periodExpenses', ...TRADE_EXPENSES),
];

export const TRADE_CASES: Case[] = [
  { what: 'every amount', refused: [[]] },
  {
    what: 'one sum of the expenses',
    of: [set('periodExpenses', { consolidatedExpenses: 999_999_999.99 })],
    refused: [[]],
  },
  { what: 'no expenses that are not allowed', refused: [[]] },
  {
    what: 'empty expenses',
    of: [set('periodExpenses', {})],
    refused: [['periodExpenses empty']],
  },
  { what: 'an amount with three decimals', ...decimals(TRADE_AMOUNTS) },
  { what: 'one sum beside single expenses', ...both('periodExpenses', TRADE_EXPENSES) },
];
