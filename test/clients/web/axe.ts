/** Accessibility rules, checked by axe-core in the page as it is. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** A line for each element that violates a rule. The script is evaluated by the debugger: the page's policy allows no other way. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate<string[]>(`(async () => {
    const { violations } = await axe.run(document, { runOnly: ${JSON.stringify(TAGS)} });
    return violations.flatMap(({ id, nodes }) => nodes.map((node) => id + ': ' + node.target + ' ' + node.failureSummary));
  })()`);
}
