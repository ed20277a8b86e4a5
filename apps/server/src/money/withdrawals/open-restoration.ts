import { setTimeout as pause } from 'node:timers/promises';
import type { Module } from '../../platform/module.ts';
import { countUnexplained, type Restoration, readRestoration, type UnexplainedCount } from './restoration-store.ts';
import type { WithdrawalsModule } from './withdrawals.ts';

const EVERY_MS = 5_000;

/**
 * Tells operators about an open restoration: since when, and what is left to explain. Until two people have reconciled
 * the books with the chain, the database lets nothing leave.
 */
export function openRestoration({
  database,
  onFault,
}: Pick<WithdrawalsModule, 'database' | 'onFault'>): Required<Pick<Module, 'jobs' | 'checks' | 'metrics'>> {
  /** The state as of this process's last read. */
  let seen: { readonly open: Restoration | null; readonly left: UnexplainedCount } = {
    open: null,
    left: { n: 0, unread: [] },
  };
  const look = async (): Promise<void> => {
    const open = await readRestoration(database);
    // Without a restoration there is nothing to count, and the tables are large.
    seen = { open, left: open ? await countUnexplained(database) : { n: 0, unread: [] } };
  };
  const said = (): string => {
    const { open, left } = seen;
    if (open === null) return 'none';
    const unread = left.unread.length > 0 ? `; not read to its end: ${left.unread.join(', ')}` : '';
    return `nothing leaves since ${open.since.toISOString()}: ${left.n} transactions of the chain are unexplained${unread}`;
  };
  return {
    jobs: [
      {
        on: 'every process',
        async run(signal) {
          let toldAt: number | null = null;
          while (!signal.aborted) {
            await look().catch(onFault);
            const since = seen.open?.since.getTime() ?? null;
            if (since !== null && since !== toldAt)
              onFault(
                new Error(`alarm: this platform was restored: ${said()}. See "After a restoration" in the console`),
              );
            toldAt = since;
            await pause(EVERY_MS, undefined, { signal }).catch(() => undefined);
          }
        },
      },
    ],
    checks: [{ name: 'restoration', state: said }],
    metrics: [
      {
        name: 'sathorn_restoration_open_seconds',
        help: 'Since when nothing leaves because the books are not reconciled after a restoration; 0 if they are.',
        read: (now) => (seen.open === null ? 0 : Math.max(1, (now.getTime() - seen.open.since.getTime()) / 1_000)),
      },
      {
        name: 'sathorn_restoration_unexplained',
        help: 'Transactions of the chain that the restored books do not explain.',
        read: () => seen.left.n,
      },
    ],
  };
}
