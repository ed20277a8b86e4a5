import { HOUSE_OWNER, type Ledger } from '../../ledger/index.ts';

/**
 * Throws if the ledger has worked in the other mode. A ledger that ever held test money stays a demo's; one that worked
 * without stays live. Otherwise test money, or people with public passwords, would be among real ones.
 */
export async function assertSameMode(ledger: Ledger, mode: 'demo' | 'live'): Promise<void> {
  const house = await ledger.balances(HOUSE_OWNER);
  const isOfDemo = house.some(({ account }) => account.name === 'demo_fund');
  if (mode === 'live' && isOfDemo)
    throw new Error(
      'this database belongs to a demonstration and has test money in it: give the live deployment its own',
    );
  if (mode === 'demo' && house.length > 0 && !isOfDemo)
    throw new Error(
      'this database belongs to a live deployment: set SATHORN_MODE=live, or give the demonstration its own',
    );
}
