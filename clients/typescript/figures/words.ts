/** What people are told about a business beside its figures, in the command and in the page. */
import type { BusinessFigures } from './figures.ts';

type Named = Pick<BusinessFigures, 'type' | 'countryCode' | 'name'>;

const REGIONS = new Intl.DisplayNames('en-GB', { type: 'region' });

export function businessName({ type, countryCode, name }: Named): string {
  if (type === 'self-employment') return `Self-employment: ${name}`;
  if (type === 'uk-property') return 'UK property';
  return countryCode === null ? 'Property abroad' : `Property in ${REGIONS.of(countryCode)}`;
}

/** Of sources that the account holder has a share of. */
export const sharesOf = ({ sources }: Pick<BusinessFigures, 'sources'>) =>
  sources.map(({ source }) => source).filter(({ sharePercent }) => sharePercent !== 100);

/** What stays an item of its own beside `consolidatedExpenses`. */
const APART = {
  'uk-property': ' other than residential finance costs and rent-a-room',
  'foreign-property': ' other than residential finance costs',
  'self-employment': '',
};

/** Whose figures these are, which have no field, and when one sum of the expenses would do. Nothing of it is computed. */
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
    `If the turnover of the year is below the VAT registration threshold, HMRC takes one sum, consolidatedExpenses, in place of the expenses${APART[type]}.`,
  ];
}
