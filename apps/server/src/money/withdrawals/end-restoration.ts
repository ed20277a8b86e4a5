import { endRestoration } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import type { Queries } from '../../platform/database/index.ts';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { ApprovalKind } from '../../staff/operators/index.ts';
import { countUnexplained, endRestorationRow as end, type Restoration, readRestoration } from './restoration-store.ts';
import type { WithdrawalsModule } from './withdrawals.ts';

export const RESTORATION_END_APPROVAL = 'restoration_end';

/** The content that two people agree to. `since` keeps it from ending a newer restoration. */
const contentOf = ({ restoration, since, ends_at, known_at }: Restoration) => ({
  restoration: String(restoration),
  since: since.toISOString(),
  ends_at: ends_at.toISOString(),
  known_at: known_at.toISOString(),
});

/** True if everything on the chain, up to its newest confirmed block, is explained and booked. */
async function isExplained(queries: Queries): Promise<boolean> {
  const { n, unread } = await countUnexplained(queries);
  return n === 0 && unread.length === 0;
}

/** One person states that the books are reconciled. When another agrees, payouts, sweeps and addresses continue. */
export function endRestorationHandler({ database, approvals, audit, findWaiting }: WithdrawalsModule): Handler {
  return handle(endRestoration, async ({ request: { id, note }, operator }) => {
    const asked = await database.transaction(async (transaction) => {
      const open = await readRestoration(transaction);
      if (open === null || String(open.restoration) !== id) return 'restoration_ended' as const;
      if (!(await isExplained(transaction))) return 'restoration_unexplained' as const;
      if (await findWaiting(transaction, RESTORATION_END_APPROVAL, id)) return 'already_waiting' as const;
      const content = contentOf(open);
      const opened = await approvals.propose(transaction, operator, {
        kind: RESTORATION_END_APPROVAL,
        subject: id,
        fingerprintOf: content,
        roles: ['finance', 'compliance'],
      });
      if (!opened.ok) return opened;
      await audit.append(transaction, {
        operator,
        what: 'restoration_end.asked',
        on: { kind: 'restoration', id },
        after: content,
        ...(note !== undefined && { note }),
      });
      return opened;
    });
    if (typeof asked === 'string') return refuse(asked, { field: 'id' });
    return asked.ok ? accept({ approval: asked.effect.id }) : asked;
  });
}

export const restorationEndKind = (): ApprovalKind => ({
  // Checks again, because a block may have arrived between the two votes. The database checks too.
  async apply(transaction, { id, subject }) {
    const open = await readRestoration(transaction);
    if (open === null || String(open.restoration) !== subject || !(await isExplained(transaction))) return false;
    await end(transaction, open.restoration, id);
    return true;
  },
  customerOf: () => null,
});
