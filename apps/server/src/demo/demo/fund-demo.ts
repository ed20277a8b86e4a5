import { fundDemo } from '@sathorn/api';
import { type AssetCode, formatDecimal, formatMoney, money, parseMoney, scaleOf } from '@sathorn/money';
import { accept, decidePlayMoney, type PlayMoneyRefusal, refuse } from '@sathorn/settlement';
import { customerAccount, houseAccount, type Intent, type JournalKind, type Ledger } from '../../ledger/index.ts';
import { type Handler, handle } from '../../platform/edge/handle.ts';

interface Gift {
  readonly to: bigint;
  readonly asset: AssetCode;
  readonly units: bigint;
  /** True for a practice account, which has at most what one gift may be. */
  readonly isPractice?: boolean;
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

const demoGift: JournalKind<Gift, Given, PlayMoneyRefusal> = {
  name: 'demo.fund',
  customer: () => null,
  accounts: ({ to, asset }) => [houseAccount('demo_fund', asset), customerAccount(to, asset)],
  decide: ({ to, asset, units, isPractice = false }, funds) => {
    const [fund, spot] = [houseAccount('demo_fund', asset), customerAccount(to, asset)];
    const giftMax = CALL_MAX[asset] * 10n ** BigInt(scaleOf(asset));
    const available = funds.available(spot);
    const decided = decidePlayMoney({
      units,
      giftMax,
      owned: available + funds.held(spot),
      ownedMax: isPractice ? giftMax : null,
      fund: funds.available(fund),
    });
    if (!decided.ok) {
      const { refusal } = decided;
      const hasMax = refusal === 'exceeds_demo_limit' || refusal === 'exceeds_practice_balance';
      const params = { max: formatDecimal(CALL_MAX[asset], 0), asset };
      return refuse(refusal, { field: 'amount', ...(hasMax && { params }) });
    }
    return accept({
      transfers: [{ kind: 'single', debit: fund, credit: spot, units, code: 'demo_money' }],
      answer: {
        asset,
        amount: formatMoney(money(asset, units)),
        available: formatMoney(money(asset, available + units)),
      },
    });
  },
};

export const giveDemoMoney = (ledger: Ledger, gift: Gift, intent: Intent) => ledger.post(demoGift, gift, intent);

export function fundDemoHandler(ledger: Ledger, isPractice = false): Handler {
  return handle(fundDemo, async ({ customer, request, intent }) => {
    const amount = parseMoney(request.asset, request.amount);
    if (!amount) return refuse('malformed_request', { field: 'amount' });
    return giveDemoMoney(ledger, { to: customer.id, asset: request.asset, units: amount.units, isPractice }, intent);
  });
}
