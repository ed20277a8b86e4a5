import { listOwnCorrections } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { listOwnCorrectionRows } from './correction-store.ts';
import { viewOwnCorrection } from './correction-view.ts';
import type { CorrectionsDependencies } from './corrections.ts';

const PAGE = 20;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function listOwnCorrectionsHandler(module: CorrectionsDependencies): Handler {
  return handle(listOwnCorrections, async ({ customer, request: { id, page } }) => {
    // A malformed id gets the same answer as one that belongs to another customer.
    if (id !== undefined && !UUID.test(id)) return accept({ items: [], next: null });
    const before = page ? BigInt(page) || null : null;
    const rows = await listOwnCorrectionRows(module.database, customer.id, before, id ?? null, PAGE + 1);
    const shown = rows.slice(0, PAGE);
    return accept({
      items: await Promise.all(shown.map((row) => viewOwnCorrection(module, row))),
      next: rows.length > PAGE ? String(shown.at(-1)?.number) : null,
    });
  });
}
