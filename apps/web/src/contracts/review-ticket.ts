import {
  add,
  type CoinCode,
  formatMoney,
  formatPrice,
  isMore,
  type Money,
  money,
  mulDiv,
  type Price,
  parseDecimal,
  parseMoney,
  parsePrice,
  parseRate,
  price,
  RATE_ONE,
  scaleOf,
  subtract,
} from '@sathorn/money';
import { bandPrice, type CoverRefusal, contractAmount, contractFee } from '@sathorn/settlement';
import { decimalsOf, quantityForAmount } from './contract-math.ts';
import { type ContractTicket, isByAmount, isPostOnly } from './contract-ticket.ts';
import { type BookLevels, type TakenFromBook, walkBook } from './walk-book.ts';

/**
 * The data against which a ticket is checked. Undefined means not loaded yet; then the checks that need it are skipped.
 */
export interface TicketMarket {
  readonly code: CoinCode;
  readonly isOffered: boolean;
  /** The reason why the coin can only be sold; null if it can be bought. */
  readonly buyRefusal: CoverRefusal | null;
  readonly tick: string;
  readonly lot: string;
  /** Limits for one order in USDT. */
  readonly amountMin: string | undefined;
  readonly amountMax: string | undefined;
  /** Share of the index by which a market order's price may differ from it. */
  readonly band: string | undefined;
  readonly index: string | null;
  readonly isStale: boolean;
  readonly isSilent: boolean;
  readonly bids: BookLevels | undefined;
  readonly asks: BookLevels | undefined;
  /** True if these are all levels of the book and not only the best ones. */
  readonly isWholeBook: boolean;
  readonly usdtAvailable: string | undefined;
  readonly coinAvailable: string | undefined;
  readonly makerRate: string | undefined;
  readonly takerRate: string | undefined;
}

type MarketFault =
  | CoverRefusal
  | 'not_offered'
  | 'price_stale'
  | 'stream_silent'
  | 'no_liquidity'
  | 'beyond_price_band';
type PriceFault = 'price_missing' | 'price_off_tick';
type SizeFault = 'size_missing' | 'off_lot' | 'below_minimum' | 'above_maximum' | 'exceeds_balance';
type ConditionFault = 'post_only_would_cross' | 'fok_not_fillable';

interface TicketFaults {
  /** A fault of the market and not of the input; null if there is none. */
  readonly market: MarketFault | null;
  readonly price: PriceFault | null;
  readonly size: SizeFault | null;
  readonly condition: ConditionFault | null;
}

/** An estimate of the order's result on the current book. Only a limit order's total is exact: the maximum. */
export interface TicketPreview {
  /** In coins. */
  readonly quantity: string;
  /** In USDT. */
  readonly total: string;
  readonly average: string | null;
  /** The fee, taken from the received amount. */
  readonly fee: string;
  readonly feeAsset: string;
  readonly feeRate: string;
  /** The fee that applies: the maker's, the taker's, or both. */
  readonly role: 'maker' | 'taker' | 'both';
  /** The amount after the fee, in the asset that the order receives. */
  readonly received: string;
  /**
   * The minimum after the fee if a limit order is completely filled: at its limit with the taker's fee. Null for an
   * order that may be filled only in part. The fee of each fill is rounded up, so a screen must not show the last
   * decimals.
   */
  readonly receivedMin: string | null;
  /** For an order that does not rest: whether the book can fill all, some or none of it; otherwise null. */
  readonly has: 'all' | 'some' | 'none' | null;
}

interface TicketReview {
  readonly faults: TicketFaults;
  readonly preview: TicketPreview | null;
  /** The largest size that the balance allows, for the slider. */
  readonly sizeMax: string;
  /** The largest size of one order, which limits the slider. */
  readonly sizeCap: string | undefined;
}

export function reviewTicket(ticket: ContractTicket, market: TicketMarket): TicketReview {
  const { code } = market;
  const lot = parseDecimal(market.lot, scaleOf(code)) ?? 1n;
  const isMarket = ticket.type === 'market';
  const limit = isMarket ? marketLimit(ticket.side, market) : typedPrice(ticket.price);
  const opposite = ticket.side === 'buy' ? market.asks : market.bids;
  const size = sizeOf(ticket, code);
  const taken =
    opposite && size && (isMarket || limit !== null)
      ? walkBook(opposite, { coin: code, side: ticket.side, limit, size, lot })
      : null;

  const faults: TicketFaults = {
    market: marketFault(ticket, market, opposite, limit),
    price: isMarket ? null : priceFault(limit, market),
    size: sizeFault(ticket, market, size, limit, taken, lot),
    condition: conditionFault(ticket, market, taken),
  };
  return {
    faults,
    // An order above the maximum has no preview, because the layout has no room for larger figures.
    preview: faults.size === 'above_maximum' ? null : preview(ticket, market, size, limit, taken),
    sizeMax: sizeMax(ticket, market, limit, opposite, lot),
    sizeCap: sizeCap(ticket, market, limit, lot),
  };
}

function typedPrice(text: string): Price | null {
  const typed = parsePrice(text);
  return typed === undefined || typed === 0n ? null : typed;
}

function sizeOf(ticket: ContractTicket, code: CoinCode): Money | null {
  const size: Money | undefined = parseMoney(isByAmount(ticket) ? 'USDT' : code, ticket.size);
  return size && size.units > 0n ? size : null;
}

/** The last price at which a market order may trade; null until the index and the terms are loaded. */
function marketLimit(side: 'buy' | 'sell', { code, index, band }: TicketMarket): Price | null {
  const middle = index === null || band === undefined ? undefined : parsePrice(index);
  return middle === undefined ? null : bandPrice(code, side, middle);
}

function marketFault(
  ticket: ContractTicket,
  market: TicketMarket,
  opposite: BookLevels | undefined,
  limit: Price | null,
): MarketFault | null {
  if (!market.isOffered) return 'not_offered';
  if (ticket.side === 'buy' && market.buyRefusal !== null) return market.buyRefusal;
  // A limit order has its own price and is accepted even when the index is stale.
  if (ticket.type === 'limit') return null;
  if (market.isStale) return 'price_stale';
  if (market.isSilent) return 'stream_silent';
  if (opposite === undefined) return null;
  const best = opposite[0] && parsePrice(opposite[0][0]);
  if (best === undefined) return 'no_liquidity';
  if (limit !== null && (ticket.side === 'buy' ? best > limit : best < limit)) return 'beyond_price_band';
  return null;
}

function priceFault(limit: Price | null, { tick }: TicketMarket): PriceFault | null {
  if (limit === null) return 'price_missing';
  const step = parsePrice(tick);
  return step !== undefined && step > 0n && limit % step !== 0n ? 'price_off_tick' : null;
}

function sizeFault(
  ticket: ContractTicket,
  market: TicketMarket,
  size: Money | null,
  limit: Price | null,
  taken: TakenFromBook | null,
  lot: bigint,
): SizeFault | null {
  if (size === null) return 'size_missing';
  const isAll = isSaleOfAll(ticket, market, size);
  if (size.asset !== 'USDT' && size.units % lot !== 0n && !isAll) return 'off_lot';

  const worth = worthOf(ticket, market, size, limit);
  const min = usdt(market.amountMin);
  const max = usdt(market.amountMax);
  if (worth && min && isMore(min, worth) && !isAll) return 'below_minimum';
  if (worth && max && isMore(worth, max)) return 'above_maximum';

  if (ticket.side === 'sell') {
    const available = market.coinAvailable === undefined ? undefined : parseMoney(market.code, market.coinAvailable);
    return available && isMore<CoinCode>(size as Money<CoinCode>, available) ? 'exceeds_balance' : null;
  }
  const available = usdt(market.usdtAvailable);
  const cost =
    size.asset === 'USDT'
      ? (size as Money<'USDT'>)
      : ticket.type === 'market'
        ? taken?.amount
        : limit === null
          ? undefined
          : contractAmount(limit, size as Money<CoinCode>, 'up');
  return available && cost && isMore(cost, available) ? 'exceeds_balance' : null;
}

/** True for a market sale of a whole balance, which is allowed below one lot and below the smallest order. */
function isSaleOfAll({ side, type }: ContractTicket, { code, coinAvailable }: TicketMarket, size: Money): boolean {
  const isSale = type === 'market' && side === 'sell';
  return isSale && coinAvailable !== undefined && parseMoney(code, coinAvailable)?.units === size.units;
}

/** Returns the amount to which the order limits apply, from the order's own amount, its price, or the index. */
function worthOf(
  ticket: ContractTicket,
  market: TicketMarket,
  size: Money,
  limit: Price | null,
): Money<'USDT'> | undefined {
  if (size.asset === 'USDT') return size as Money<'USDT'>;
  const at = priceOf(ticket, market, limit);
  return at === null ? undefined : contractAmount(at, size as Money<CoinCode>, 'up');
}

function sizeCap(ticket: ContractTicket, market: TicketMarket, limit: Price | null, lot: bigint): string | undefined {
  if (isByAmount(ticket)) return market.amountMax;
  const max = usdt(market.amountMax);
  const at = priceOf(ticket, market, limit);
  return max && at !== null ? formatMoney(quantityForAmount(market.code, max, at, lot)) : undefined;
}

function priceOf(ticket: ContractTicket, { index }: TicketMarket, limit: Price | null): Price | null {
  if (ticket.type === 'limit') return limit;
  return index === null ? null : (parsePrice(index) ?? null);
}

function conditionFault(
  ticket: ContractTicket,
  market: TicketMarket,
  taken: TakenFromBook | null,
): ConditionFault | null {
  if (!taken || ticket.type !== 'limit') return null;
  if (isPostOnly(ticket)) return taken.quantity.units > 0n ? 'post_only_would_cross' : null;
  if (ticket.timeInForce !== 'FOK' || taken.isWhole) return null;
  // Levels beyond the shown ones may fill the rest.
  return market.isWholeBook || taken.quantity.units === 0n ? 'fok_not_fillable' : null;
}

function sizeMax(
  ticket: ContractTicket,
  market: TicketMarket,
  limit: Price | null,
  opposite: BookLevels | undefined,
  lot: bigint,
): string {
  const { code } = market;
  if (ticket.side === 'sell') return market.coinAvailable ?? '0';
  const available = usdt(market.usdtAvailable);
  if (!available) return '0';
  if (isByAmount(ticket)) return formatMoney(available);
  if (ticket.type === 'limit') {
    return limit === null ? '0' : formatMoney(quantityForAmount(code, available, limit, lot));
  }
  if (!opposite) return '0';
  return formatMoney(walkBook(opposite, { coin: code, side: 'buy', limit, size: available, lot }).quantity);
}

function preview(
  ticket: ContractTicket,
  market: TicketMarket,
  size: Money | null,
  limit: Price | null,
  taken: TakenFromBook | null,
): TicketPreview | null {
  const { code, makerRate = '0', takerRate = '0' } = market;
  const maker = parseRate(makerRate);
  const taker = parseRate(takerRate);
  if (!size || maker === undefined || taker === undefined) return null;
  if (!taken) return ticket.type === 'market' || limit === null ? null : atWorst(ticket, size, limit, market);
  const waits = ticket.type === 'limit' && ticket.timeInForce === 'GTC';
  const waiting = waits ? subtract<CoinCode>(size as Money<CoinCode>, taken.quantity) : money<CoinCode>(code, 0n);
  const waitingAmount = limit === null ? money('USDT', 0n) : contractAmount(limit, waiting, 'up');

  const isBuy = ticket.side === 'buy';
  const quantity = add(taken.quantity, waiting);
  const total = add(taken.amount, waitingAmount);
  const [asTaker, asMaker]: [Money, Money] = isBuy ? [taken.quantity, waiting] : [taken.amount, waitingAmount];
  const fee = add<typeof asTaker.asset>(contractFee(asTaker, taker), contractFee(asMaker, maker));
  const received = add<typeof asTaker.asset>(asTaker, asMaker);
  const takes = taken.quantity.units > 0n;
  const isWhole = ticket.type === 'limit' && ticket.timeInForce !== 'IOC';
  return {
    quantity: formatMoney(quantity),
    // A buy at a limit holds its cost at the limit, even when it may be filled for less.
    total: formatMoney(waits && isBuy && limit !== null ? contractAmount(limit, quantity, 'up') : total),
    average: averageOf(taken, market.tick),
    fee: formatMoney(fee),
    feeAsset: fee.asset,
    feeRate: takes || !waits ? takerRate : makerRate,
    role: takes && waiting.units > 0n ? 'both' : takes || !waits ? 'taker' : 'maker',
    received: formatMoney(subtract<typeof received.asset>(received, fee)),
    receivedMin: isWhole && limit !== null ? atWorst(ticket, size, limit, market).received : null,
    has: waits ? null : taken.isWhole ? 'all' : takes ? 'some' : 'none',
  };
}

/** Returns a limit order's worst result if the book is unknown: at its own price with the taker's fee. */
function atWorst(
  { side, timeInForce }: ContractTicket,
  size: Money,
  limit: Price,
  { takerRate = '0' }: TicketMarket,
): TicketPreview {
  const quantity = size as Money<CoinCode>;
  const received: Money = side === 'buy' ? quantity : contractAmount(limit, quantity, 'down');
  const fee = contractFee(received, parseRate(takerRate) ?? RATE_ONE);
  const left = formatMoney(subtract<typeof received.asset>(received, fee));
  return {
    quantity: formatMoney(quantity),
    total: formatMoney(contractAmount(limit, quantity, 'up')),
    average: null,
    fee: formatMoney(fee),
    feeAsset: fee.asset,
    feeRate: takerRate,
    role: 'taker',
    received: left,
    receivedMin: timeInForce === 'IOC' ? null : left,
    has: null,
  };
}

function averageOf(taken: TakenFromBook, tick: string): string | null {
  const step = parsePrice(tick);
  if (taken.quantity.units === 0n || step === undefined || step === 0n) return null;
  const average = mulDiv(
    taken.amount.units,
    10n ** BigInt(scaleOf(taken.quantity.asset)),
    taken.quantity.units,
    'down',
  );
  return formatPrice(price((average / step) * step), decimalsOf(tick));
}

function usdt(text: string | undefined): Money<'USDT'> | undefined {
  return text === undefined ? undefined : parseMoney('USDT', text);
}
