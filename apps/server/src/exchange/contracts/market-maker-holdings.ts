import type { AssetCode } from '@sathorn/money';
import { HOUSE_OWNER, type Ledger } from '../../ledger/index.ts';

/** Balances of the house's market maker, in units by asset. */
interface MarketMakerHoldings {
  /** The available and the held amount together. */
  readonly all: ReadonlyMap<AssetCode, bigint>;
  readonly inOrders: ReadonlyMap<AssetCode, bigint>;
}

export async function readMarketMakerHoldings(ledger: Pick<Ledger, 'balances'>): Promise<MarketMakerHoldings> {
  const all = new Map<AssetCode, bigint>();
  const inOrders = new Map<AssetCode, bigint>();
  for (const { account, available } of await ledger.balances(HOUSE_OWNER)) {
    const { name, asset } = account;
    if (name !== 'maker' && name !== 'maker_in_orders') continue;
    all.set(asset, (all.get(asset) ?? 0n) + available);
    if (name === 'maker_in_orders') inOrders.set(asset, available);
  }
  return { all, inOrders };
}
