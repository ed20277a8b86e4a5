import { decidePlay } from '@sathorn/settlement';
import type { PlayGuard, PlayGuards } from '../../ledger/index.ts';
import { type GuardedStanding, readGuardedStandings, refuseStoppedPlays } from './safeguard-store.ts';

/** How long a refused customer is assumed to stay refused. A wrong assumption costs only speed. */
const REFUSED_LATELY_MS = 600_000;
const REMEMBERED_MAX = 100_000;

function guardOf(standing: GuardedStanding, onRefused: () => void): PlayGuard {
  let { staked } = standing;
  const lost = { ...standing.lost };
  return {
    refusalOf({ stake }) {
      const decision = decidePlay(stake, { ...standing, staked, lost });
      if (decision.ok) return null;
      onRefused();
      return decision;
    },
    accepted({ stake }) {
      staked += stake;
      for (const period of ['day', 'week', 'month'] as const) lost[period] += stake;
    },
  };
}

/**
 * The limits that the ledger reads for each batch. Under the lock, a batch reads the customers' state. A speculative
 * batch assumes that nobody has limits, and the database rejects it if somebody has.
 */
export function openPlayGuards(): PlayGuards {
  const refused = new Map<bigint, number>();
  const noteRefusal = (customer: bigint): void => {
    refused.delete(customer);
    refused.set(customer, performance.now());
    const [oldest] = refused.keys();
    if (refused.size > REMEMBERED_MAX && oldest !== undefined) refused.delete(oldest);
  };
  return {
    async readGuards(queries, customers) {
      const standings = await readGuardedStandings(queries, customers);
      return new Map(
        standings.map((standing) => [standing.customer, guardOf(standing, () => noteRefusal(standing.customer))]),
      );
    },
    refuseStopped: refuseStoppedPlays,
    wasRefused(customer) {
      const at = refused.get(customer);
      if (at === undefined) return false;
      if (performance.now() - at < REFUSED_LATELY_MS) return true;
      refused.delete(customer);
      return false;
    },
  };
}
