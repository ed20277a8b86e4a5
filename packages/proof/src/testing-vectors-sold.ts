import { type Canonical, canonicalText, parseCanonical } from './canonical.ts';
import type { OptionReceipt } from './option-receipt.ts';
import { priceOfSale, type SaleFigures, type SignedSaleTerms } from './option-sale.ts';
import { type SignedOptionTerms, writeOptionTerms } from './option-terms.ts';
import type { SignedText } from './signature.ts';
import {
  FIRST_TICK_MS,
  numbersBetween,
  PROMISED_TERMS,
  settlePromisedOption,
  tickChainOf,
} from './testing-receipts.ts';

const OFFSETS = numbersBetween(-5, 40);
const MIDDLE = 64_000_000_000n;
const STEP = 10_000n;
/** Seconds after the first tick. */
const SOLD_AT = 12;
/** A quarter of a deviation per second, up and down. */
const rising = (offset: number): bigint => MIDDLE + BigInt(offset) * 1_500_000n;
const falling = (offset: number): bigint => rising(-offset);
const flat = (): bigint => MIDDLE;

export const TEST_SALE: SignedSaleTerms = {
  volatilityBasisPoints: 5_000n,
  bandBasisPoints: 2_000n,
  spreadBasisPoints: 200n,
  closedMs: 5_000,
};
export const SALE_TERMS: SignedOptionTerms = { ...PROMISED_TERMS, sale: TEST_SALE };

interface SaleChoices {
  /** Seconds after the first tick, of the tick at which the option is sold. */
  readonly at?: number;
  readonly priceAt?: (offset: number) => bigint;
  /** A price other than the formula's. */
  readonly credited?: bigint;
  readonly step?: bigint;
}

function figuresOfSale(
  terms: SignedOptionTerms,
  at: number,
  priceAt: (offset: number) => bigint,
  step: bigint,
): SaleFigures {
  const gain = (terms.stake * terms.payoutBasisPoints) / 10_000n;
  const fee = (gain * terms.feeBasisPoints + 9_999n) / 10_000n;
  return {
    sale: terms.sale ?? TEST_SALE,
    isUp: terms.direction === 'up',
    stake: terms.stake,
    gain: gain - fee,
    startPrice: priceAt(1),
    price: priceAt(at),
    step,
    leftMs: terms.acceptedMs + terms.durationMs - (FIRST_TICK_MS + at * 1_000),
  };
}

/** The receipt of an option that was sold, as the platform would build it. */
export function sellTestOption(
  terms: SignedOptionTerms,
  { at = SOLD_AT, priceAt = rising, credited, step = STEP }: SaleChoices = {},
  { receipt, texts } = settlePromisedOption(terms, { priceAt, offsets: OFFSETS }),
): OptionReceipt {
  const price = credited ?? priceOfSale(figuresOfSale(terms, at, priceAt, step)) ?? 0n;
  const [stakeHold, profitHold] = receipt.transfers;
  if (stakeHold === undefined || profitHold === undefined) throw new Error('no holds');
  const end = (hold: typeof stakeHold, seq: string, part: bigint): typeof stakeHold => ({
    ...hold,
    seq,
    kind: part > 0n ? 'post' : 'void',
    amount: part > 0n ? String(part) : hold.amount,
    resolves: hold.seq,
  });
  return {
    ...receipt,
    ticks: { ...receipt.ticks, end: texts[OFFSETS.indexOf(at)] as SignedText, after_end: null },
    result: { status: 'sold', reason: null, profit: String(price - terms.stake), fee: '0', credited: String(price) },
    transfers: [
      stakeHold,
      profitHold,
      end(stakeHold, '90', terms.stake - price),
      end(profitHold, '91', price - terms.stake),
    ],
  };
}

/** Receipts of options that were sold before their end. */
export function soldVectors(): { readonly name: string; readonly receipt: unknown; readonly known?: object }[] {
  const honest = sellTestOption(SALE_TERMS);
  const price = BigInt(honest.result.credited);
  const change = (part: Partial<OptionReceipt>): OptionReceipt => ({ ...honest, ...part });
  const moved = (n: number, part: object) =>
    change({
      transfers: honest.transfers.map((transfer, index) => (index === n ? { ...transfer, ...part } : transfer)),
    });
  const { sale: _sale, ...without } = SALE_TERMS;
  const settled = settlePromisedOption(SALE_TERMS, { priceAt: rising, offsets: OFFSETS });
  const textAt = (offset: number): SignedText => settled.texts[OFFSETS.indexOf(offset)] as SignedText;
  // The largest stake-for-stake case: a price that is the stake itself ends both holds without a payment.
  const even = (() => {
    for (let spread = 0n; spread < 10_000n; spread += 1n) {
      const terms = { ...SALE_TERMS, stake: 10_000n, sale: { ...TEST_SALE, spreadBasisPoints: spread } };
      // Only the price is computed on the way, as each receipt takes a hundred signatures.
      if (priceOfSale(figuresOfSale(terms, SOLD_AT, rising, STEP)) === terms.stake) return sellTestOption(terms);
    }
    throw new Error('no spread gives the stake back');
  })();
  return [
    { name: 'sold with a profit', receipt: honest },
    { name: 'sold with a loss', receipt: sellTestOption(SALE_TERMS, { priceAt: falling }) },
    { name: 'sold for exactly the stake', receipt: even },
    { name: 'sold at the start price', receipt: sellTestOption(SALE_TERMS, { priceAt: flat }) },
    {
      name: 'down, sold with a profit',
      receipt: sellTestOption({ ...SALE_TERMS, direction: 'down' }, { priceAt: falling }),
    },
    { name: 'sold at the tick of the start', receipt: sellTestOption(SALE_TERMS, { at: 1 }) },
    { name: 'sold at the last moment', receipt: sellTestOption(SALE_TERMS, { at: 25 }) },
    { name: 'sold in the closed time', receipt: sellTestOption(SALE_TERMS, { at: 26 }) },
    { name: 'sold before its start', receipt: sellTestOption(SALE_TERMS, { at: 0 }) },
    { name: 'sold for a unit less', receipt: sellTestOption(SALE_TERMS, { credited: price - 1n }) },
    { name: 'sold for a unit more', receipt: sellTestOption(SALE_TERMS, { credited: price + 1n }) },
    { name: 'sold for nothing', receipt: sellTestOption(SALE_TERMS, { credited: 0n }) },
    {
      name: 'sold where nothing is left',
      receipt: sellTestOption(SALE_TERMS, { at: 25, priceAt: (offset) => falling(offset * 20), credited: 0n }),
    },
    { name: 'sold under terms without sales', receipt: sellTestOption({ ...SALE_TERMS, sale: null }) },
    { name: 'sold under opt/4', receipt: sellTestOption(without) },
    { name: 'settled under opt/5', receipt: settled.receipt },
    {
      name: 'settled under opt/5 without sales',
      receipt: settlePromisedOption({ ...SALE_TERMS, sale: null }, { priceAt: rising, offsets: OFFSETS }).receipt,
    },
    { name: 'sold, at the price of another tick', receipt: change({ ticks: { ...honest.ticks, end: textAt(13) } }) },
    {
      name: 'sold, with a tick behind it',
      receipt: change({ ticks: { ...honest.ticks, after_end: textAt(13) } }),
    },
    { name: 'sold without a tick', receipt: change({ ticks: { ...honest.ticks, end: null } }) },
    {
      name: 'sold at a tick of another chain',
      receipt: change({
        ticks: { ...honest.ticks, end: tickChainOf(OFFSETS, rising)[OFFSETS.indexOf(2)] as SignedText },
      }),
    },
    { name: 'sold, though called a loss', receipt: change({ result: { ...honest.result, status: 'lost' } }) },
    {
      name: 'won, though called sold',
      receipt: { ...settled.receipt, result: { ...settled.receipt.result, status: 'sold' } },
    },
    { name: 'sold with a fee', receipt: change({ result: { ...honest.result, fee: '1' } }) },
    { name: 'sold with a reason', receipt: change({ result: { ...honest.result, reason: 'no_end_tick' } }) },
    { name: 'sold, the stake kept too', receipt: moved(2, { kind: 'post' }) },
    { name: 'sold, a unit less paid', receipt: moved(3, { amount: String(price - SALE_TERMS.stake - 1n) }) },
    { name: 'sold, the profit of a win paid', receipt: moved(3, { amount: honest.transfers[1]?.amount }) },
    {
      name: 'sold before the promise of its terms',
      receipt: change({ promise: null }),
    },
    {
      name: 'sold by a fine index',
      receipt: soldFinely(),
    },
  ];
}

/** An index of the newer rule has a smaller step, which the price depends on. */
function soldFinely(): OptionReceipt {
  const terms: SignedOptionTerms = { ...SALE_TERMS, coin: 'SOL' };
  const priceAt = (offset: number): bigint => 150_000_000n + BigInt(offset) * 3_100n;
  const settled = settlePromisedOption(terms, {
    priceAt,
    offsets: OFFSETS,
    chain: { coin: 'SOL', rule: 'families/2' },
  });
  return sellTestOption(terms, { priceAt, at: 9, step: 100n }, settled);
}

/** Terms of `opt/5` that are, and are not, well formed. */
export function saleTermsVectors(): string[] {
  const body = writeOptionTerms(SALE_TERMS);
  const members = parseCanonical(body) as Readonly<Record<string, Canonical>>;
  return [body, ...CHANGES.map((change) => canonicalText({ ...members, ...change })), body.replace('opt/5', 'opt/4')];
}
const CHANGES: readonly Readonly<Record<string, string>>[] = [
  { sell_vol_bps: '', sell_band_bps: '', sell_spread_bps: '', sell_closed: '' },
  { sell_vol_bps: '' },
  { sell_vol_bps: '0' },
  { sell_band_bps: '10000' },
  { sell_band_bps: '0' },
  { sell_spread_bps: '10001' },
  { sell_spread_bps: '0' },
  { sell_closed: '0' },
  { sell_closed: '+5000' },
];

/** Figures of sales and their prices, for the engine and for other verifiers. */
export function bidVectors() {
  let state = 12_345;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  return numbersBetween(1, 160).map((n) => {
    const step = [1n, 10n, 100n, 10_000n][next(4)] ?? 1n;
    const startPrice = step * BigInt(50_000 + next(9_000_000));
    const away = n % 20 === 0 ? 0n : BigInt(next(4_001) - 2_000) * step * BigInt([1, 1, 10, 300][next(4)] ?? 1);
    const price = startPrice + away > 0n ? startPrice + away : step;
    const stake = BigInt([1, 7, 1_000_000, 1_234_567, 100_000_000, 9_999_999_999][next(6)] ?? 1);
    const figures: SaleFigures = {
      sale: {
        volatilityBasisPoints: BigInt(1 + next(30_000)),
        bandBasisPoints: BigInt(next(10_000)),
        spreadBasisPoints: BigInt(next(500)),
        closedMs: 5_000,
      },
      isUp: next(2) === 1,
      stake,
      gain: (stake * BigInt(1 + next(20_000))) / 10_000n,
      startPrice,
      price,
      step,
      leftMs: 1 + next([3_000, 60_000, 300_000, 86_400_000][next(4)] ?? 1),
    };
    const found = priceOfSale(figures);
    return {
      vol_bps: String(figures.sale.volatilityBasisPoints),
      band_bps: String(figures.sale.bandBasisPoints),
      spread_bps: String(figures.sale.spreadBasisPoints),
      dir: figures.isUp ? 'up' : 'down',
      stake: String(stake),
      gain: String(figures.gain),
      start: String(startPrice),
      price: String(price),
      step: String(step),
      left: String(figures.leftMs),
      bid: found === null ? null : String(found),
    };
  });
}
