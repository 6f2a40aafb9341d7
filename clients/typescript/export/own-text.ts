/** Text files of the ledger and its user, in UTF-8: rules, rates, decisions, reports, figures. Files of banks have other encodings too. */
import { OwnFileError } from './own-file-error.ts';

/** A wrong letter would change the meaning of a rule without a word, so no encoding is guessed. @throws OwnFileError */
export function ownText(bytes: Uint8Array | ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new OwnFileError('is not a text in UTF-8: save it as UTF-8');
  }
}
