/** Accessibility rules, checked by axe-core in the page as it is. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';

const ALL = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
const OF_COLOURS = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/**
 * A line for each element that violates a rule, and for a page that is wider than the screen, at each width in light and in dark. The
 * scheme changes nothing but colours, so that in dark the rules about them suffice. The script is evaluated by the debugger: the page's
 * policy allows no other way.
 */
export async function violationsOf(page: Page, widths: number[]): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source);
  const all: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    const wide = await page.evaluate<number>(
      `${NEXT_FRAME}.then(() => document.documentElement.scrollWidth)`,
    );
    if (wide > width) all.push(`${width}: the page is ${wide} pixels wide`);
    for (const [colorScheme, rules] of [
      ['light', ALL],
      ['dark', OF_COLOURS],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      all.push(...(await found(page, rules)).map((each) => `${width} ${colorScheme}: ${each}`));
    }
    await page.emulateMedia({ colorScheme: 'light' });
  }
  return all;
}

/** Charts and tables are drawn again for another width. */
export const NEXT_FRAME =
  'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))';

/** Of the colours as they are once they have changed: transitions are at their end. */
const found = (page: Page, runOnly: object) =>
  page.evaluate<string[]>(`(async () => {
    for (const each of document.getAnimations()) if (each instanceof CSSTransition) each.finish();
    const { violations } = await axe.run(document, { runOnly: ${JSON.stringify(runOnly)}, resultTypes: ['violations'], preload: false });
    return violations.flatMap(({ id, nodes }) => nodes.map((node) => id + ': ' + node.target + ' ' + node.failureSummary));
  })()`);
