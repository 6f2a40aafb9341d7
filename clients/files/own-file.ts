/** Files that the command has written and reads again. */
import { OwnFileError } from '../typescript/export/own-file-error.ts';
import { UserError } from './user-error.ts';

/** The content of such a file. @throws UserError when it is damaged, or another file */
export function ownFileContent<Content>(file: string, read: () => Content): Content {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof OwnFileError)) throw error;
    throw new UserError(`${file} ${error.message}.`);
  }
}
