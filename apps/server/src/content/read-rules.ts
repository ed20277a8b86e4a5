import { readRules } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../edge/index.ts';
import type { Content } from './open-content.ts';

export function readRulesHandler({ rules }: Content): Handler {
  return handle(readRules, async ({ request, language }) =>
    accept({ content: rules.content(request.of, language), hash: rules.hash(request.of) }),
  );
}
