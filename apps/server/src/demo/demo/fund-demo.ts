import { fundDemo } from '@sathorn/api';
import { type AssetCode, formatDecimal, formatMoney, money, parseMoney, scaleOf } from '@sathorn/money';
import { accept, refuse } from '@sathorn/settlement';
import { customerAccount, houseAccount, type Intent, type JournalKind, type Ledger } from '../../ledger/index.ts';
import { type Handler, handle } from '../../platform/edge/handle.ts';

interface Gift {
  readonly to: bigint;
  readonly asset: AssetCode;
  readonly units: bigint;
}
interface Given {
  readonly asset: string;
  readonly amount: string;
  readonly available: string;
}

/** Whole units per call: enough to try everything, too little to empty the fund. */
const CALL_MAX: Readonly<Record<AssetCode, bigint>> = {
  USDT: 100_000n,
  BTC: 10n,
  ETH: 100n,
  BNB: 1_000n,
  SOL: 1_000n,
  XRP: 100_000n,
  DOGE: 100_000n,
  ADA: 100_000n,
  TRX: 100_000n,
  THB: 1_000_000n,
  POINTS: 100_000n,
};

const demoGift: JournalKind<Gift, Given, 'amount_not_positive' | 'exceeds_demo_limit' | 'demo_fund_empty'> = {
  name: 'demo.fund',
  customer: () => null,
  accounts: ({ to, asset }) => [houseAccount('demo_fund', asset), customerAccount(to, asset)],
  decide: ({ to, asset, units }, funds) => {
    const [fund, spot] = [houseAccount('demo_fund', asset), customerAccount(to, asset)];
    const max = CALL_MAX[asset] * 10n ** BigInt(scaleOf(asset));
    if (units <= 0n) return refuse('amount_not_positive', { field: 'amount' });
    if (units > max)
      return refuse('exceeds_demo_limit', {
        field: 'amount',
        params: { max: formatDecimal(CALL_MAX[asset], 0), asset },
      });
    if (units > funds.available(fund)) return refuse('demo_fund_empty', { field: 'amount' });
    return accept({
      transfers: [{ kind: 'single', debit: fund, credit: spot, units, code: 'demo_money' }],
      answer: {
        asset,
        amount: formatMoney(money(asset, units)),
        available: formatMoney(money(asset, funds.available(spot) + units)),
      },
    });
  },
};

export const giveDemoMoney = (ledger: Ledger, gift: Gift, intent: Intent) => ledger.post(demoGift, gift, intent);

export function fundDemoHandler(ledger: Ledger): Handler {
  return handle(fundDemo, async ({ customer, request, intent }) => {
    const amount = parseMoney(request.asset, request.amount);
    if (!amount) return refuse('malformed_request', { field: 'amount' });
    return giveDemoMoney(ledger, { to: customer.id, asset: request.asset, units: amount.units }, intent);
  });
}
