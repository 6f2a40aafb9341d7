/** Accessibility rules, checked by axe-core in the page as it is. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';

const ALL = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
const OF_COLOURS = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/**
 * A line for each element that violates a rule, in light and in dark. The scheme changes nothing but colours, so that in dark the rules
 * about them suffice. The script is evaluated by the debugger: the page's policy allows no other way.
 */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const light = await found(page, ALL);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await found(page, OF_COLOURS);
  await page.emulateMedia({ colorScheme: 'light' });
  return [...light, ...dark.map((each) => `dark: ${each}`)];
}

/** Of the colours as they are once they have changed: transitions are at their end. */
const found = (page: Page, runOnly: object) =>
  page.evaluate<string[]>(`(async () => {
    for (const each of document.getAnimations()) if (each instanceof CSSTransition) each.finish();
    const { violations } = await axe.run(document, { runOnly: ${JSON.stringify(runOnly)} });
    return violations.flatMap(({ id, nodes }) => nodes.map((node) => id + ': ' + node.target + ' ' + node.failureSummary));
  })()`);
