/** The rules of the import, which this browser keeps for the account. */
export interface KeptRules {
  text: string;
  /** Changes the rules. Undefined while entries are sent. */
  change?: ((text: string) => void) | undefined;
}
