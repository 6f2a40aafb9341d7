/** HMRC's code of each country that the account can have: the package that checks the account's, and HMRC's own list. */
import { expect, test } from 'bun:test';
import { getAlpha2Codes } from 'i18n-iso-countries';
import { countryCodeOf } from '../../../../clients/typescript/figures/country-codes.ts';
import FACTS from './hmrc-facts.json';
import { modelCountry } from './hmrc-model.ts';

const TWO = Object.keys(getAlpha2Codes());

test('each country of the account has the code of ISO 3166-1 that HMRC takes, and Kosovo has its own', () => {
  expect(TWO.map((code) => [code, countryCodeOf(code)])).toEqual(
    TWO.map((code) => [code, modelCountry(code)]),
  );
  expect(['FR', 'GG', 'XK', 'fr', '', 'FRA'].map(countryCodeOf)).toEqual([
    ...['FRA', 'GGY', 'XKX', undefined, undefined, undefined],
  ]);
});

test('countries without a code of HMRC are the few that its list lacks; of its codes, ZZZ alone is no country', () => {
  const none = TWO.filter((code) => countryCodeOf(code) === undefined);
  expect(none.sort()).toEqual(['AQ', 'AX', 'BL', 'BV', 'EH', 'GB', 'GS', 'HM', 'IO', 'MF', 'PS', 'TF', 'UM']);
  const codes = TWO.map(countryCodeOf);
  // HMRC refuses a code that is there twice.
  expect(new Set(codes).size).toBe(TWO.length - none.length + 1);
  const own = FACTS.countries.join(' ').split(' ');
  expect(own.filter((code) => !codes.includes(code))).toEqual(['ZZZ']);
});
