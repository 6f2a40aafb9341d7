/** The rules files of the landlord: as the text that the command reads, and as the entries that a payment must have by them. */

export const HOUSES = ['House A', 'House B', 'House C'] as const;
export type House = (typeof HOUSES)[number];

/** A part of a payment: signed pence in one property. */
export interface Part {
  house: House;
  pence: number;
}

interface Share {
  house: House;
  category: string;
  percent: number;
}

type Decision = { house: House } | { split: [Share, Share] } | { feeOfGross: House } | 'leave out';

interface Rule {
  text: string;
  decision: Decision;
}

export interface Rules {
  name: string;
  rules: Rule[];
  /** Of the rows that no rule names. */
  otherwise: House;
}

const AGENT_PERCENT = 12;

const insurance = (first: number, house: House): Decision => ({
  split: [
    { house: 'House A', category: 'premisesRunningCosts', percent: first },
    { house, category: 'premisesRunningCosts', percent: 100 - first },
  ],
});

const base: Rule[] = [
  { text: 'SAVINGS', decision: 'leave out' },
  { text: 'HUNTERS', decision: { feeOfGross: 'House B' } },
  { text: 'FLAT B', decision: { house: 'House B' } },
  { text: 'FLAT C', decision: { house: 'House C' } },
];

/** The rules of the beginning: the bank's later text of an online shop is of another property, or is split. */
export const rulesOf = (isSplit: boolean): Rules => ({
  name: isSplit ? 'rules-split' : 'rules',
  rules: [
    ...base,
    { text: 'AMAZON', decision: isSplit ? insurance(60, 'House A') : { house: 'House B' } },
    { text: 'AVIVA', decision: insurance(60, 'House B') },
  ],
  otherwise: 'House A',
});

/** The rules after the person has changed them: another split, another property. */
export const changedRules = (): Rules => ({
  name: 'rules-changed',
  rules: [
    ...base,
    { text: 'BOILERCO', decision: { house: 'House B' } },
    { text: 'AVIVA', decision: insurance(50, 'House B') },
  ],
  otherwise: 'House A',
});

/** The rules after a property was removed in the app: nothing is of that property any more. */
export const without = (rules: Rules, house: House): Rules => {
  const kept = HOUSES.find((other) => other !== house && other !== 'House A') ?? 'House A';
  const other = (it: House) => (it === house ? kept : it);
  return {
    name: `${rules.name}-without`,
    otherwise: other(rules.otherwise),
    rules: rules.rules.map(({ text, decision }) => {
      if (decision === 'leave out') return { text, decision };
      if ('house' in decision) return { text, decision: { house: other(decision.house) } };
      if ('feeOfGross' in decision) return { text, decision: { feeOfGross: other(decision.feeOfGross) } };
      const [first, second] = decision.split;
      const moved = (share: Share) => ({ ...share, house: other(share.house) });
      return { text, decision: { split: [moved(first), moved(second)] } };
    }),
  };
};

/** One property for all rows, as `--source` names it. */
export const oneHouse = (house: House): Rules => ({ name: `-s ${house}`, rules: [], otherwise: house });

export function textOfRules({ rules, otherwise }: Rules): string {
  const lines = rules.map(({ text, decision }) => `"${text}" -> ${textOf(decision)}`);
  return [...lines, `otherwise -> ${otherwise}`, ''].join('\n');
}

function textOf(decision: Decision): string {
  if (decision === 'leave out') return 'leave out';
  if ('house' in decision) return decision.house;
  if ('feeOfGross' in decision) {
    const fee = `expense professionalFees ${AGENT_PERCENT} % of gross`;
    return `${decision.feeOfGross} / split: ${fee}, rest income periodAmount`;
  }
  const [first, second] = decision.split;
  const part = `${first.house} / ${first.category} ${first.percent} % of payment`;
  return `split: ${part}, ${second.house} / rest ${second.category}`;
}

const decisionOf = ({ rules, otherwise }: Rules, description: string): Decision =>
  rules.find(({ text }) => description.toUpperCase().includes(text))?.decision ?? { house: otherwise };

/** The entries that a payment must have. None: the rules leave it out. The amounts of the model divide without a remainder. */
export function partsOf(rules: Rules, description: string, pence: number): Part[] {
  const decision = decisionOf(rules, description);
  if (decision === 'leave out') return [];
  if ('house' in decision) return [{ house: decision.house, pence }];
  if ('feeOfGross' in decision) {
    const fee = Math.round((pence * AGENT_PERCENT) / (100 - AGENT_PERCENT));
    return [-fee, pence + fee].map((part) => ({ house: decision.feeOfGross, pence: part }));
  }
  const [first, second] = decision.split;
  const part = Math.round((pence * first.percent) / 100);
  return [
    { house: first.house, pence: part },
    { house: second.house, pence: pence - part },
  ];
}
