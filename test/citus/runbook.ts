/** Reads the commands of docs/citus.md and runs them on the servers of a cluster. */
import { dirname } from 'node:path';
import { type Block, blocksUnder, run } from '../deploy/runbook.ts';
import { runToEnd } from '../fixtures/checkout.ts';
import { findCitus } from '../fixtures/citus-program.ts';
import { openOne } from '../fixtures/database.ts';

export const blocksOf = (heading: string) => blocksUnder('citus.md', heading);

interface Options {
  /** Port by name, for instance `node-1`. */
  ports: Record<string, number>;
  database: string;
  /** In place of /backups. */
  backups: string;
}

export class Runbook {
  constructor(readonly options: Options) {}

  /** @param words replace words of the page, such as ACCOUNT. @param env of shell commands, or of those for one server */
  async follow(
    blocks: readonly Block[],
    words: Record<string, string> = {},
    env: (server: string) => Record<string, string> = () => ({}),
  ): Promise<Record<string, unknown>[]> {
    let rows: Record<string, unknown>[] = [];
    for (const { language, where, text } of blocks) {
      const servers = where === 'every server' ? Object.keys(this.options.ports) : [where];
      for (const server of servers) {
        const command = this.replace(text, { ...words, SERVER: server });
        if (language === 'sql') rows = await this.query(server, command);
        else if (language === 'sh') await this.#run(command, env(server));
      }
    }
    return rows;
  }

  /** Of servers by their name: `node-1,node-2`. */
  url(servers: string): string {
    return this.replace(`postgres://ledger@${servers}/ledger`, {});
  }

  async query(server: string, statement: string): Promise<Record<string, unknown>[]> {
    const sql = openOne(this.url(server));
    try {
      let rows: Record<string, unknown>[] = [];
      // One by one, as psql sends them.
      for (const each of statement.split(/;\s*(?:\n|$)/).filter(Boolean)) rows = await sql.unsafe(each);
      return rows;
    } finally {
      await sql.end();
    }
  }

  replace(text: string, words: Record<string, string>): string {
    const { ports, database, backups } = this.options;
    const portOf = (name: string) => {
      const port = ports[name];
      if (port === undefined) throw new Error(`docs/citus.md names an unknown server: ${name}`);
      return port;
    };
    return Object.entries(words)
      .reduce((replaced, [word, value]) => replaced.replaceAll(word, value), text)
      .replaceAll('/backups', backups)
      .replace(/'([\w.-]+)', 5432/g, (_, name) => `'127.0.0.1', ${portOf(name)}`)
      .replace(/@([\w.,-]+)\/ledger/g, (_, names) => {
        const hosts = names.split(',').map((name: string) => `127.0.0.1:${portOf(name)}`);
        return `@${hosts.join()}/${database}`;
      });
  }

  async #run(command: string, env: Record<string, string>): Promise<void> {
    const path = [findCitus(), dirname(process.execPath), process.env.PATH].join(':');
    // The service's commands run in the checkout, those of Postgres as the user of the servers.
    if (!command.includes('bun run')) return run(command, { ...env, PATH: path });
    const options = { env: { ...process.env, ...env, PATH: path } };
    const { exitCode, out, err } = await runToEnd(['sh', '-eu', '-c', command], options);
    if (exitCode !== 0) throw new Error(`${command}\n${out}${err}`);
  }
}
