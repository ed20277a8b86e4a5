/** Writes a year's trades, deposits and withdrawals in Koinly's universal format, oldest first. */
import { openExchange } from './open-exchange.ts';

const year = Number(process.argv[2] ?? new Date().getUTCFullYear());
const [from, until] = [Date.UTC(year), Date.UTC(year + 1)];
const exchange = openExchange();
await exchange.loadMarkets();

interface Row {
  readonly at: number;
  readonly sent?: readonly [amount: unknown, currency: unknown];
  readonly received?: readonly [amount: unknown, currency: unknown];
  readonly fee?: readonly [amount: unknown, currency: unknown];
  readonly id: string;
}
const rows: Row[] = [];

for (const { symbol, side, amount, cost, fee, timestamp, id } of await exchange.fetchMyTrades(
  undefined,
  from,
  100_000,
)) {
  const [base, quote] = (symbol ?? '').split('/');
  const [coins, money] = [[amount, base] as const, [cost, quote] as const];
  rows.push({
    at: timestamp ?? 0,
    ...(side === 'buy' ? { sent: money, received: coins } : { sent: coins, received: money }),
    ...(fee && { fee: [fee.cost, fee.currency] as const }),
    id: id ?? '',
  });
}
for (const each of await exchange.fetchDeposits('USDT', from, 10_000))
  if (each.status === 'ok')
    rows.push({ at: each.timestamp ?? 0, received: [each.amount, 'USDT'], id: each.txid ?? each.id ?? '' });
for (const each of await exchange.fetchWithdrawals('USDT', from, 10_000))
  if (each.status === 'ok')
    rows.push({
      at: each.timestamp ?? 0,
      sent: [(each.amount ?? 0) - (each.fee?.cost ?? 0), 'USDT'],
      fee: [each.fee?.cost, 'USDT'],
      id: each.txid ?? each.id ?? '',
    });

console.log('Date,Sent Amount,Sent Currency,Received Amount,Received Currency,Fee Amount,Fee Currency,TxHash');
for (const { at, sent, received, fee, id } of rows.sort((a, b) => a.at - b.at)) {
  if (at < from || at >= until) continue;
  const date = `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  const pair = (of: Row['sent']): readonly unknown[] => of ?? ['', ''];
  console.log([date, ...pair(sent), ...pair(received), ...pair(fee), id].join(','));
}
