import { listDailyTotals } from '@sathorn/api';
import { formatMoney, isCoinCode, money, mulDiv, scaleOf, UNIT_OF_ACCOUNT } from '@sathorn/money';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { AccountRecordsDependencies } from './customers.ts';
import { TOTAL_ACCOUNTS } from './user-view.ts';

const DAYS = 30;
const DAY_MS = 86_400_000;

/** Returns the customer's total at the end of each of the last days, with coins at that day's close of the index. */
export function listDailyTotalsHandler({
  ledger,
  dailyCloses,
}: Pick<AccountRecordsDependencies, 'ledger' | 'dailyCloses'>): Handler {
  return handle(listDailyTotals, async ({ customer, now }) => {
    // Daily candles end at midnight UTC.
    const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
    const ends = Array.from({ length: DAYS }, (_, n) => new Date(today - (DAYS - 1 - n) * DAY_MS));
    const accounts = await ledger.totalsAt(customer.id, TOTAL_ACCOUNTS, ends);
    const held = accounts.filter(({ totals }) => totals.some((units) => units !== 0n));
    const coins = [...new Set(held.map(({ account }) => account.asset).filter(isCoinCode))];
    const closes = new Map(
      await Promise.all(
        coins.map(async (coin) => {
          const days = await dailyCloses(coin, new Date(today), DAYS);
          return [coin as string, new Map(days.map(({ at, close }) => [at + DAY_MS, close]))] as const;
        }),
      ),
    );
    const totals = ends.flatMap((at, n) => {
      let total = 0n;
      for (const { account, totals: of } of held) {
        const units = of[n] ?? 0n;
        if (account.asset === UNIT_OF_ACCOUNT) total += units;
        if (!isCoinCode(account.asset) || units === 0n) continue;
        const close = closes.get(account.asset)?.get(at.getTime());
        // A day without a price of a coin that was held has no total.
        if (close === undefined) return [];
        total += mulDiv(units, close, 10n ** BigInt(scaleOf(account.asset)), 'down');
      }
      return [{ at: at.toISOString(), total: formatMoney(money(UNIT_OF_ACCOUNT, total)) }];
    });
    return accept(totals);
  });
}
