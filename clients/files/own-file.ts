/** Files of the ledger and of its user. */
import { OwnFileError } from '../typescript/export/own-file-error.ts';
import { ownText } from '../typescript/export/own-text.ts';
import { UserError } from './user-error.ts';

/** The content of such a file. @throws UserError when it is not in UTF-8, is damaged, or is another file */
export function ownFileContent<Content>(
  file: string,
  bytes: Uint8Array,
  read: (text: string) => Content,
): Content {
  try {
    return read(ownText(bytes));
  } catch (error) {
    if (!(error instanceof OwnFileError)) throw error;
    throw new UserError(`${file} ${error.message}.`);
  }
}

/** The text of such a file, as it is. @throws UserError when it is not in UTF-8 */
export const ownFileText = (file: string, bytes: Uint8Array): string =>
  ownFileContent(file, bytes, (text) => text);
