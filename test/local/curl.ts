/** Replaces curl on a machine that has none, for the options that the printed commands use. */
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    silent: { type: 'boolean', short: 's' },
    'show-error': { type: 'boolean', short: 'S' },
    header: { type: 'string', short: 'H', multiple: true },
    data: { type: 'string', short: 'd' },
  },
});
const headers = (values.header ?? []).map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]);
const response = await fetch(positionals[0] ?? '', {
  headers,
  ...(values.data !== undefined && { method: 'POST', body: values.data }),
});
process.stdout.write(await response.text());
