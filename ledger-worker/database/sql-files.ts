/** The files of `sql/`: migrations and functions. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DOMAIN_FUNCTIONS } from './domain-functions.ts';

export const SQL_FOLDER = join(import.meta.dir, '../sql');
/** `<version> <checksum>` */
export const VERSION_FILE = 'functions/version.txt';

/** In ascending order. @param folder contains `migrations` and `functions` */
export function migrations(folder: string) {
  return sqlFiles(join(folder, 'migrations'))
    .filter(({ name }) => /^\d{4}_\w+$/.test(name))
    .map(({ name, body }) => ({ version: Number(name.slice(0, 4)), name: name.slice(5), body }));
}

export const newestVersion = (folder: string) =>
  Math.max(...migrations(folder).map(({ version }) => version));

/**
 * The functions of `functions/`, and the functions that are made of the domain. The version rises with each change of a text: then
 * a worker of an earlier release that restarts during an upgrade does not restore its own.
 */
export function functions(folder: string) {
  const texts = [...sqlFiles(join(folder, 'functions')).map(({ body }) => body), ...DOMAIN_FUNCTIONS];
  return {
    version: Number(readFileSync(join(folder, VERSION_FILE), 'utf8').split(' ')[0]),
    checksum: createHash('sha256').update(texts.join()).digest('hex'),
    texts,
  };
}

// A comment, a string, an identifier, a string in dollar quotes; or a semicolon; or anything else.
const SQL_TOKENS = /--[^\n]*|\/\*[\s\S]*?\*\/|'[^']*'|"[^"]*"|(\$\w*\$)[\s\S]*?\1|;|[^-/'"$;]+|[^;]/g;

/** The statements of an SQL text, which has no `E'\''` and no function body outside of quotes. */
export function statementsOf(text: string): string[] {
  const statements = [''];
  for (const [token] of text.matchAll(SQL_TOKENS)) {
    if (token === ';') statements.push('');
    else statements.push(statements.pop() + token);
  }
  return statements.filter((statement) => statement.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, '').trim() !== '');
}

function sqlFiles(directory: string) {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => ({
      name: basename(file, '.sql'),
      body: readFileSync(join(directory, file), 'utf8'),
    }));
}
