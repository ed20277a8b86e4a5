import { type ResultOf, readEarningRules } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import type { Language } from '@sathorn/text';
import { type Handler, handle } from '../../platform/edge/handle.ts';

/** The rules as plain text: numbered headings, with a blank line between sections. */
export type EarningRules = (type: 'liquidity' | 'regular', language: Language) => ResultOf<typeof readEarningRules>;

export function readEarningRulesHandler(rules: EarningRules): Handler {
  return handle(readEarningRules, async ({ request: { type }, language }) => accept(rules(type, language)));
}
