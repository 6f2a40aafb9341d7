/** The rules of a plan beside the rows of a file. */

/** The rows of a file that a rule decides about. */
export interface RuleUse {
  line: number;
  /** As the rules have it. */
  text: string;
  rows: number;
  /** `otherwise`. */
  isForAll: boolean;
  /** Of a rule that decides about none, and is not for all: the earlier rules that decide about rows which it matches too, by their lines. */
  shadowedBy: { line: number; rows: number }[];
}
