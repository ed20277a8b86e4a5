import { HOUSE, type Ledger } from '../../ledger/index.ts';

/**
 * A ledger that ever held test money is a demo's for ever, and one that ever worked without is a live brand's. Starting
 * in the other mode would put test money, or people with public passwords, among real ones, so this throws.
 */
export async function assertSameMode(ledger: Ledger, mode: 'demo' | 'live'): Promise<void> {
  const house = await ledger.balances(HOUSE);
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
