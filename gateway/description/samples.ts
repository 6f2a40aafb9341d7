/** The samples of an operation in four languages, as `x-codeSamples` of the description. test/gateway/api/samples.slow.test.ts runs them. */

export interface Sample {
  method?: 'GET' | 'POST';
  /** With `{SOURCE}` for the id of the source. */
  path: string;
  body?: unknown;
  /** Statements that use `ledger`, and `SOURCE` if the path has it. */
  typescript: string;
}

export const codeSamples = (sample: Sample) => [
  { lang: 'bash', label: 'curl', source: curl(sample) },
  { lang: 'typescript', label: 'TypeScript', source: typescript(sample) },
  { lang: 'python', label: 'Python', source: python(sample) },
  { lang: 'javascript', label: 'JavaScript', source: javascript(sample) },
];

function curl({ path, body }: Sample): string {
  const lines = [
    `curl -sS "$LEDGER_URL${path.replace('{SOURCE}', '$SOURCE')}"`,
    '-H "Authorization: Bearer $LEDGER_API_KEY"',
    ...(body === undefined ? [] : ['-H "Content-Type: application/json"', `-d '${indented(body, 2)}'`]),
  ];
  return lines.join(' \\\n  ');
}

function typescript({ path, typescript }: Sample): string {
  const names = [
    "LEDGER_URL = ''",
    "LEDGER_API_KEY = ''",
    ...(path.includes('{SOURCE}') ? ["SOURCE = ''"] : []),
  ];
  return `import { Ledger } from 'bookkeeping-ledger';

const { ${names.join(', ')} } = process.env;
const ledger = new Ledger({ url: LEDGER_URL, apiKey: LEDGER_API_KEY });

${typescript}`;
}

function python({ path, body }: Sample): string {
  const source = path.includes('{SOURCE}') ? 'source = os.environ["SOURCE"]\n' : '';
  const data = body === undefined ? '' : `\n    data=json.dumps(${indented(body, 4)}).encode(),`;
  const type = body === undefined ? '' : '\n        "Content-Type": "application/json",';
  return `import json, os, urllib.request

url, key = os.environ["LEDGER_URL"], os.environ["LEDGER_API_KEY"]
${source}request = urllib.request.Request(
    f"{url}${path.replace('{SOURCE}', '{source}')}",${data}
    headers={
        "Authorization": f"Bearer {key}",${type}
    },
)
with urllib.request.urlopen(request) as response:
    print(json.load(response))`;
}

function javascript({ method = 'GET', path, body }: Sample): string {
  const names = ['LEDGER_URL', 'LEDGER_API_KEY', ...(path.includes('{SOURCE}') ? ['SOURCE'] : [])];
  const address = `\${LEDGER_URL}${path.replace('{SOURCE}', `\${SOURCE}`)}`;
  const sent = body === undefined ? '' : `\n  body: JSON.stringify(${indented(body, 2)}),`;
  const type = body === undefined ? '' : "\n    'Content-Type': 'application/json',";
  return `const { ${names.join(', ')} } = process.env;

const response = await fetch(\`${address}\`, {${method === 'GET' ? '' : `\n  method: '${method}',`}
  headers: {
    Authorization: \`Bearer \${LEDGER_API_KEY}\`,${type}
  },${sent}
});
if (!response.ok) throw new Error(await response.text());
console.log(await response.json());`;
}

/** JSON, which is also valid Python and JavaScript, with each line indented. */
const indented = (body: unknown, spaces: number) =>
  JSON.stringify(body, null, 2).replaceAll('\n', `\n${' '.repeat(spaces)}`);
