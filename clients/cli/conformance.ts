/** `ledger conformance`: checks a service against the documentation of the API. */

import type { Command } from 'commander';
import { printableJson } from '../../platform/terminal.ts';
import {
  type ConformanceRule,
  checkConformance,
  type Report,
  RULES,
  type RuleResult,
  rulesNamed,
  SetupError,
} from '../conformance/index.ts';
import { requireWritable } from '../files/whole-file.ts';
import { conformanceTarget } from '../settings/profiles.ts';
import { counted } from '../typescript/counted.ts';
import type { GlobalOptions } from './connection.ts';
import { CliError, EXIT, type ExitCode, usageError } from './exit.ts';
import { createOutput } from './output.ts';
import { CONFORMANCE, forceOption } from './output-kinds.ts';
import { withReport } from './report.ts';

interface ConformanceCommandOptions extends GlobalOptions {
  source: string[];
  secondSource: string;
  only?: string[];
  fillDay?: boolean;
  report?: string;
  force?: boolean;
}

export const addConformanceOptions = (command: Command): Command =>
  command
    .argument('<url>', 'the URL of the service')
    .requiredOption(
      '-s, --source <id...>',
      'the source of the first account to write into; a second one for more rules',
    )
    .requiredOption('--second-source <id>', 'the source of the second account to write into')
    .option('--only <rule...>', 'rules or groups of rules, such as references or references.exact')
    .option('--fill-day', 'write 5,000 entries to reach the daily cap')
    .option('--report <file>', 'write all rules with their outcome as JSON')
    .addOption(forceOption());

/**
 * Checks the service at an address, and prints each rule with its result.
 * @returns 6 if a rule is broken
 * @throws CliError
 */
export async function conformance(address: string, options: ConformanceCommandOptions): Promise<ExitCode> {
  const { url, keys } = conformanceTarget(address, options);
  const rules = chosen(options.only);
  const output = createOutput(options);
  const target = { kind: CONFORMANCE, force: options.force };
  if (options.report !== undefined) requireWritable(options.report, target);
  const report = await checkConformance({
    url,
    keys,
    rules,
    fillDay: options.fillDay ?? false,
    sources: { first: options.source, second: [options.secondSource] },
    onRule: (result) => output.note(ruleResultLines(result)),
  }).catch((error) => {
    throw error instanceof SetupError ? new CliError(EXIT.SERVICE, error.message, 'setup') : error;
  });
  output.result(report, runSummaryLines(report));
  const exitCode = report.counts.broken > 0 ? EXIT.DIFFERENT : report.isDown ? EXIT.SERVICE : EXIT.OK;
  return withReport(exitCode, options, () => `${printableJson(report, 2)}\n`, target);
}

/** @throws CliError for an unknown rule */
function chosen(only: readonly string[] | undefined): readonly ConformanceRule[] {
  if (!only) return RULES;
  const wanted = only.flatMap((name) => {
    const rules = rulesNamed(name);
    if (rules.length > 0) return rules;
    const groups = [...new Set(RULES.map(({ id }) => id.split('.')[0]))].join(', ');
    throw usageError(`${name} is not a rule. The groups are ${groups}.`);
  });
  return RULES.filter((rule) => wanted.includes(rule));
}

function ruleResultLines({
  id,
  sentence,
  outcome,
  why,
  expected,
  request,
  response,
  page,
}: RuleResult): string[] {
  const lines = [`${outcome.padEnd(11)}  ${id}  ${sentence}`];
  const detail = (text: string) => lines.push(`${' '.repeat(13)}${text}`);
  if (why !== undefined) detail(why);
  if (outcome !== 'broken') return lines;
  detail(`Expected: ${expected}. See ${page}`);
  if (request) detail(`Request: ${request.method} ${request.path} ${request.body}`);
  if (response) detail(`Response: ${response.status} ${response.body}`);
  return lines;
}

function runSummaryLines({ url, counts, requests, seconds, isDown, entries }: Report): string[] {
  const { holds, broken } = counts;
  return [
    `${url}: ${counted(holds, 'rule holds', 'rules hold')}, ${broken} broken, ${counts['not checked']} not checked; ${counted(requests, 'request', 'requests')} in ${seconds} s.`,
    ...(isDown ? ['The service stopped responding during the run: check the other rules again.'] : []),
    ...(entries.created > 0
      ? [
          `${counted(entries.created, 'entry stays', 'entries stay')} in the books: the API cannot delete them. Nearly all have dates of the year ${entries.year} and descriptions that begin with ${entries.descriptions}.`,
        ]
      : []),
  ];
}
