import type { OptionOrder } from '@sathorn/api';
import { formatDecimal, parseDecimal, parsePrice } from '@sathorn/money';

interface LiveOutcome {
  readonly standing: 'winning' | 'losing' | 'level';
  /** The customer's profit or loss in USDT if the order ended at this price. */
  readonly profit: string;
  /** The amount credited in USDT if the order ended at this price. */
  readonly credit: string;
  /** Current price minus start price. */
  readonly distance: string;
}

const USDT_SCALE = 6;

/** Computes how an open order would end at this price, from the order's own terms. */
export function liveOutcome(
  order: Pick<OptionOrder, 'direction' | 'start_price' | 'quantity' | 'win_credit'>,
  priceText: string | null,
): LiveOutcome | undefined {
  if (order.start_price === null || priceText === null) return undefined;
  const start = parsePrice(order.start_price);
  const price = parsePrice(priceText);
  const stake = parseDecimal(order.quantity, USDT_SCALE);
  const winCredit = parseDecimal(order.win_credit, USDT_SCALE);
  if (start === undefined || price === undefined || stake === undefined || winCredit === undefined) return undefined;

  const decimals = order.start_price.split('.')[1]?.length ?? 0;
  const distance = formatDecimal((price - start) / 10n ** BigInt(6 - decimals), decimals);
  const isWinning = order.direction === 'up' ? price > start : price < start;
  const credit = price === start ? stake : isWinning ? winCredit : 0n;
  return {
    standing: price === start ? 'level' : isWinning ? 'winning' : 'losing',
    profit: formatDecimal(credit - stake, USDT_SCALE),
    credit: formatDecimal(credit, USDT_SCALE),
    distance,
  };
}
