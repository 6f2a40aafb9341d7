/** Notes for people on the figures of a business, for the command and the page. */
import type { BusinessFigures } from './figures.ts';

type Named = Pick<BusinessFigures, 'type' | 'countryCode' | 'name'>;

const REGIONS = new Intl.DisplayNames('en-GB', { type: 'region' });

export function businessName({ type, countryCode, name }: Named): string {
  if (type === 'uk-property') return 'UK property';
  if (type !== 'foreign-property') return `${type === 'self-employment' ? 'Self-employment' : type}: ${name}`;
  return countryCode === null ? 'Property abroad' : `Property in ${REGIONS.of(countryCode)}`;
}

/** For jointly held sources. */
export const sharesOf = ({ sources }: Pick<BusinessFigures, 'sources'>) =>
  sources.map(({ source }) => source).filter(({ sharePercent }) => sharePercent !== 100);

/** The expenses that stay itemised beside `consolidatedExpenses`. */
const APART: Record<string, string> = {
  'uk-property': ' other than residential finance costs and rent-a-room',
  'foreign-property': ' other than residential finance costs',
};

/** Notes on the shares, on sums without a field, and on `consolidatedExpenses`, which is not computed. */
export function notesOf({ type, sources, lines }: BusinessFigures): string[] {
  const shares = sharesOf({ sources }).map(({ name, sharePercent }) => `${name} ${sharePercent} %`);
  const without = lines.filter(({ field }) => field === undefined);
  return [
    ...(shares.length > 0
      ? [
          `Your share: ${shares.join(', ')}. If entries are of the whole property, “your share” is the figure to use; if they are your share already, the other one is.`,
        ]
      : []),
    ...without.map(({ category }) =>
      category === 'seTaxDeducted'
        ? 'seTaxDeducted has no field in the summary: CIS deductions are reported by contractors.'
        : `${category} has no field in the summary, and is no category of this type any more.`,
    ),
    `If the turnover of the year is below the VAT registration threshold, HMRC takes one sum, consolidatedExpenses, in place of the expenses${APART[type] ?? ''}.`,
  ];
}
