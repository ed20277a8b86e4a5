import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Returns each rule that the current page breaks, with the elements that break it. */
export async function findViolations(
  page: Page,
  what: string,
  { tags = [], rules = {} }: { readonly tags?: readonly string[]; readonly rules?: RunOptions['rules'] } = {},
): Promise<string[]> {
  // While an element fades in, its contrast is too low.
  await page.evaluate(() => {
    const passing = document
      .getAnimations()
      .filter(({ effect, playState }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity);
    return Promise.allSettled(passing.map(({ finished }) => finished));
  });
  // Loads axe once per document, because loading takes longer than running it.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  const options: RunOptions = {
    resultTypes: ['violations'],
    runOnly: { type: 'tag', values: [...WCAG, ...tags] },
    rules,
  };
  const found = await page.evaluate(async (given) => {
    const { axe } = globalThis as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } };
    const { violations } = await axe.run(given);
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }, options);
  return found.map((violation) => `${what}: ${violation}`);
}
