import { searchConsole } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { ConsoleModule } from './console.ts';
import { hasRole } from './has-role.ts';

const FOUND_MAX = 8;

export function searchConsoleHandler({ customers, queues }: ConsoleModule): Handler {
  return handle(searchConsole, async ({ operator, request: { q } }) => {
    const isReader = hasRole(operator, 'support', 'compliance', 'finance', 'admin');
    const people = isReader ? await customers.find(q, null) : null;
    const cases = await Promise.all(
      queues
        .filter(({ roles }) => hasRole(operator, ...roles))
        .map(async ({ kind, search }) => ((await search?.(q)) ?? []).map((found) => ({ kind, ...found }))),
    );
    return accept([
      ...cases.flat().slice(0, FOUND_MAX),
      ...(people?.rows ?? []).slice(0, FOUND_MAX).map((row) => ({
        kind: 'customer',
        id: String(row.id),
        title: row.username,
        status: null,
      })),
    ]);
  });
}
