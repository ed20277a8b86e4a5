import type { Fill, TradeView } from '@sathorn/api';
import { type AssetCode, COINS, formatMoney, formatPrice, money } from '@sathorn/money';
import type { TradeRow } from './coin-book.ts';
import { MARKET_MAKER_OWNER, orderIdOf } from './contract-order.ts';

const otherSide = (side: 'buy' | 'sell'): 'buy' | 'sell' => (side === 'buy' ? 'sell' : 'buy');
export const tradeIdOf = ({ coin, number }: TradeRow): string => `${coin}-${number}`;
const priceText = (trade: TradeRow): string => formatPrice(trade.price, COINS[trade.coin].priceDecimals);

/** The public view of a trade. */
export function tradeViewOf(trade: TradeRow): TradeView {
  return {
    id: tradeIdOf(trade),
    price: priceText(trade),
    quantity: formatMoney(money(trade.coin, trade.quantity)),
    side: trade.takerSide,
    house: trade.makerCustomer === MARKET_MAKER_OWNER || trade.takerCustomer === MARKET_MAKER_OWNER,
    at: new Date(trade.atMs).toISOString(),
  };
}

/** The view of one of a trade's two sides. */
export function fillViewOf(trade: TradeRow, customer: bigint): Fill {
  const { coin } = trade;
  const isMaker = trade.makerCustomer === customer;
  const side = isMaker ? otherSide(trade.takerSide) : trade.takerSide;
  const received: AssetCode = side === 'buy' ? coin : 'USDT';
  return {
    id: tradeIdOf(trade),
    order: orderIdOf({ coin, sequence: isMaker ? trade.makerSequence : trade.takerSequence }),
    code: coin,
    side,
    role: isMaker ? 'maker' : 'taker',
    price: priceText(trade),
    quantity: formatMoney(money(coin, trade.quantity)),
    amount: formatMoney(money('USDT', trade.amount)),
    fee: formatMoney(money(received, isMaker ? trade.makerFee : trade.takerFee)),
    fee_asset: received,
    with_house: (isMaker ? trade.takerCustomer : trade.makerCustomer) === MARKET_MAKER_OWNER,
    at: new Date(trade.atMs).toISOString(),
  };
}
