import { type AssetCode, COIN_CODES } from '@sathorn/money';
import { houseAccount, type Ledger } from '../../ledger/index.ts';

export const MARKET_MAKER_ASSETS: readonly AssetCode[] = ['USDT', ...COIN_CODES];
const PAGE_MAX = 500;

/** The capital that the house has given its market maker, minus withdrawals; units by asset. */
export async function readMarketMakerCapital(
  ledger: Pick<Ledger, 'statement'>,
): Promise<ReadonlyMap<AssetCode, bigint>> {
  const given = await Promise.all(
    MARKET_MAKER_ASSETS.map(async (asset) => [asset, await readGiven(ledger, asset)] as const),
  );
  return new Map(given);
}

/** Sums the lines of the capital account, which are few; the maker's account has one line per quote. */
async function readGiven(ledger: Pick<Ledger, 'statement'>, asset: AssetCode): Promise<bigint> {
  let given = 0n;
  let before: bigint | null = null;
  for (;;) {
    const lines: Awaited<ReturnType<Ledger['statement']>> = await ledger.statement(
      houseAccount('equity', asset),
      'all',
      before,
      PAGE_MAX,
    );
    for (const { transfer } of lines) {
      if (transfer.credit.name === 'maker') given += transfer.units;
      if (transfer.debit.name === 'maker') given -= transfer.units;
    }
    const last = lines.at(-1);
    if (lines.length < PAGE_MAX || last === undefined) return given;
    before = last.transfer.sequence;
  }
}
