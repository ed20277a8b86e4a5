import { readRules } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Content } from './content.ts';

export function readRulesHandler({ rules, shownRules, rulesUnder }: Content): Handler {
  return handle(readRules, async ({ request: { of, hash }, language }) => {
    if (hash === undefined) return accept({ ...shownRules(of, language), hash: rules.hash(of) });
    const content = await rulesUnder(of, hash);
    return content === undefined ? refuse('rules_unknown', { field: 'hash' }) : accept({ content, hash, next: null });
  });
}
