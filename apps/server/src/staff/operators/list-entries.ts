import { listEntries } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { listEntriesSince, listNewestEntries } from './entry-store.ts';
import { viewEntry } from './entry-view.ts';
import type { OperatorsModule } from './operators.ts';

const PAGE = 50;
const FORWARD = 500;
/** These roles read the whole log; the others read only their own entries. */
const READERS: ReadonlySet<string> = new Set(['compliance', 'finance', 'admin']);

export function listEntriesHandler({ database }: OperatorsModule): Handler {
  return handle(listEntries, async ({ operator, request: { who, what, on, since, page } }) => {
    const isReader = operator.roles.some((role) => READERS.has(role));
    if (since !== undefined && isReader) {
      const rows = await listEntriesSince(database, BigInt(since), FORWARD);
      const last = rows.length === FORWARD ? rows.at(-1) : undefined;
      return accept({ items: rows.map(viewEntry), next: last ? String(last.n) : null });
    }
    const rows = await listNewestEntries(
      database,
      {
        before: page ? BigInt(page) || null : null,
        operator: isReader ? null : operator.id,
        who: who ?? null,
        what: what ?? null,
        on: on ?? null,
      },
      PAGE + 1,
    );
    const shown = rows.slice(0, PAGE);
    const last = shown.at(-1);
    return accept({ items: shown.map(viewEntry), next: rows.length > PAGE && last ? String(last.n) : null });
  });
}
