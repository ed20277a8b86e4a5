import { type ChainConfig, type ChainReader, type DepositAddresses, walletsOf } from '../money/chain/index.ts';
import { readDepositQueue } from '../money/deposits/index.ts';
import { readWithdrawalQueue } from '../money/withdrawals/index.ts';
import { CERTIFICATION_HOURS, type Certifications } from '../people/certifications/index.ts';
import type { Database } from '../platform/database/index.ts';
import type { StaffQueue } from './console/index.ts';
import type { Corrections } from './corrections/index.ts';
import type { Disputes } from './disputes/index.ts';
import type { Support } from './support/index.ts';

const HOUR_MS = 3_600_000;
const COUNT_EVERY_MS = 30_000;
/** How many balances one request reads. */
const TOGETHER = 200;

/** The work queues for operators, from the modules that they belong to. */
export function staffQueuesOf(
  database: Database,
  certifications: Pick<Certifications, 'reviews'>,
  support: Pick<Support, 'queue' | 'samples'>,
  disputes: Pick<Disputes, 'queue'>,
  corrections: Pick<Corrections, 'queue'>,
): StaffQueue[] {
  return [
    {
      kind: 'withdrawal',
      roles: ['support', 'compliance', 'finance', 'admin'],
      read: (now) => readWithdrawalQueue(database, now),
    },
    {
      kind: 'deposit',
      roles: ['support', 'compliance', 'finance', 'admin'],
      read: (now) => readDepositQueue(database, now),
    },
    {
      kind: 'certification',
      roles: ['support', 'compliance'],
      async read(now) {
        const { waiting, oldest } = await certifications.reviews.counts();
        const dueAt = oldest && new Date(oldest.getTime() + CERTIFICATION_HOURS * HOUR_MS);
        return { waiting, overdue: dueAt && dueAt < now ? 1 : 0, oldestAt: oldest, dueAt };
      },
    },
    { kind: 'dispute', roles: ['support', 'compliance', 'finance', 'admin'], read: (now) => disputes.queue(now) },
    { kind: 'correction', roles: ['compliance', 'finance', 'admin'], read: (now) => corrections.queue(now) },
    { kind: 'support', roles: ['support', 'admin'], read: (now) => support.queue(now, null) },
    // Compliance answers only conversations that support handed over.
    { kind: 'support', roles: ['compliance'], read: (now) => support.queue(now, 'compliance') },
    { kind: 'sample', roles: ['compliance', 'admin'], read: (now) => support.samples(now) },
  ];
}

interface OnChainCount {
  /** The house's holdings according to the chain: the hot wallet and all deposit addresses. Cached for a while. */
  readonly counted: () => Promise<{ asset: string; units: bigint }[]>;
  /**
   * Since when the node has not answered this; null while it does. A node that was just started does not know the
   * balances of the block at which we count, until enough new blocks follow.
   */
  readonly failingSince: () => Date | null;
}

export function countOnChain(
  chain: { readonly config: ChainConfig; readonly reader: ChainReader; readonly addresses: DepositAddresses } | null,
  now: () => Date,
): OnChainCount {
  let counted: { units: bigint; atMs: number } | null = null;
  let failing: Date | null = null;
  const count: OnChainCount['counted'] = async () => {
    if (!chain) return [];
    if (!counted || performance.now() - counted.atMs > COUNT_EVERY_MS) {
      const own = [...walletsOf(chain.config), ...(await chain.addresses.newer(-1)).map(({ address }) => address)];
      let units = 0n;
      try {
        // Counts at the depth that the ledger follows, because newer blocks contain deposits that are not credited yet.
        const { height: head } = await chain.reader.head();
        const height = Math.max(0, head - chain.config.confirmations + 1);
        for (let at = 0; at < own.length; at += TOGETHER)
          for (const balance of await chain.reader.balances(own.slice(at, at + TOGETHER), height)) units += balance;
      } catch {
        // The chain does not answer, so nothing is shown instead of an old figure.
        failing ??= now();
        return [];
      }
      failing = null;
      counted = { units, atMs: performance.now() };
    }
    return [{ asset: 'USDT', units: counted.units }];
  };
  return { counted: count, failingSince: () => failing };
}
