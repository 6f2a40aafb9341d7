/** The use of rules by the rows of a file. */

/** The rows of a file that a rule decides. */
export interface RuleUse {
  line: number;
  /** The text of the rule. */
  text: string;
  rows: number;
  /** The rule `otherwise`. */
  isForAll: boolean;
  /** For a rule other than `otherwise` that decides no row: the lines of the earlier rules that decide rows which it also matches. */
  shadowedBy: { line: number; rows: number }[];
}
