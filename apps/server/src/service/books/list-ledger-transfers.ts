import { listLedgerTransfers } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { PURPOSES, type PurposeName } from '../../ledger/index.ts';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { BooksDependencies } from './books.ts';
import { viewTransfers } from './transfer-view.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** A `#` names a sequence; plain digits are a customer's id. */
const SEQUENCE = /^#([1-9][0-9]{0,17})$/;
const nothing = () => accept({ items: [], next: null });

const isPurpose = (name: string): name is PurposeName => Object.hasOwn(PURPOSES, name);

export function listLedgerTransfersHandler(module: BooksDependencies): Handler {
  const { ledger } = module;
  return handle(listLedgerTransfers, async ({ request: { q = '', purpose, from, to, page } }) => {
    const query = q.trim();
    if (UUID.test(query)) {
      const found = await ledger.journal(query.toLowerCase());
      return accept({ items: await viewTransfers(module, found?.transfers ?? []), next: null });
    }
    const [, sequence] = SEQUENCE.exec(query) ?? [];
    if (sequence !== undefined) {
      const found = await ledger.transferAt(BigInt(sequence));
      return accept({ items: await viewTransfers(module, found ? [found] : []), next: null });
    }
    if (purpose !== undefined && !isPurpose(purpose)) return nothing();
    const customer = query === '' ? null : await module.findCustomer(query);
    if (query !== '' && customer === null) return nothing();
    const { transfers, next } = await ledger.search({
      owner: customer?.id ?? null,
      code: purpose ?? null,
      from: from ?? null,
      to: to ?? null,
      before: page ? BigInt(page) || null : null,
    });
    return accept({ items: await viewTransfers(module, transfers), next: next === null ? null : String(next) });
  });
}
