/** `bun read-costly-files.ts FORMAT usual|costly SIZE`: reads the files, and prints the peak of the memory after each as JSON. */
import { readStatement } from '../../../../clients/typescript/import/index.ts';
import { COSTLY_FILES } from './costly-files.ts';
import { COSTLY_WORKBOOKS, usualWorkbook } from './costly-workbooks.ts';

const [format = '', kind = '', size = ''] = process.argv.slice(2);
const { usual, costly } = COSTLY_FILES[format] ?? { usual: usualWorkbook, costly: COSTLY_WORKBOOKS };
const files = kind === 'usual' ? { usual: { file: usual, options: undefined } } : costly;
const peaks: [name: string, peak: number][] = [];
for (const [name, { file, options }] of Object.entries(files)) {
  await readStatement(file(Number(size)), options).catch(() => {});
  peaks.push([name, process.resourceUsage().maxRSS * 1024]);
}
console.log(JSON.stringify(peaks));
