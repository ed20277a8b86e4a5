import { COIN_CODES, type CoinCode, formatRate, rateFromBasisPoints } from '@sathorn/money';
import { arrayLiteral, type Queries, statement } from '../../platform/database/index.ts';
import { type OfferFields, type OfferKind, storedRateOf } from '../../staff/offer/index.ts';
import type { SaleTermsRow } from './option-store.ts';

type SaleTerms = Omit<SaleTermsRow, 'effectiveFrom' | 'isOffered'>;

const usual = (coin: CoinCode, sell_vol_bps: number): SaleTerms => ({
  coin,
  sell_vol_bps,
  sell_band_bps: 2_500,
  sell_spread_bps: 200,
  sell_closed_ms: 5_000,
});
/** For the usual volatility of the simulated market (`simulated-price.ts`). */
export const DEMO_SALE_TERMS: readonly SaleTerms[] = [
  usual('BTC', 4_700),
  usual('ETH', 6_200),
  usual('BNB', 5_200),
  usual('SOL', 7_800),
  usual('XRP', 7_700),
  usual('DOGE', 8_900),
  usual('ADA', 7_800),
  usual('TRX', 4_200),
];

const INSERT = statement(
  'options.insert_sale_terms',
  `INSERT INTO options.sale_terms (coin, effective_from, offered, vol_bps, band_bps, spread_bps, closed_ms, approval)
   SELECT coin, $6, $7, vol_bps, band_bps, spread_bps, closed_ms, $8
   FROM unnest($1::text[], $2::integer[], $3::integer[], $4::integer[], $5::integer[]) AS t(coin, vol_bps, band_bps, spread_bps, closed_ms)`,
);

export async function insertSaleTerms(
  queries: Queries,
  rows: readonly SaleTerms[],
  from: Date,
  approval: string | null,
  isOffered = true,
): Promise<void> {
  await queries.query(INSERT, [
    arrayLiteral(rows.map(({ coin }) => coin)),
    arrayLiteral(rows.map(({ sell_vol_bps }) => sell_vol_bps)),
    arrayLiteral(rows.map(({ sell_band_bps }) => sell_band_bps)),
    arrayLiteral(rows.map(({ sell_spread_bps }) => sell_spread_bps)),
    arrayLiteral(rows.map(({ sell_closed_ms }) => sell_closed_ms)),
    from,
    isOffered,
    approval,
  ]);
}

const rateText = (basisPoints: number): string => formatRate(rateFromBasisPoints(BigInt(basisPoints)));

export const saleOfferFieldsOf = (terms: SaleTerms): OfferFields => ({
  offered: true,
  volatility: rateText(terms.sell_vol_bps),
  band: rateText(terms.sell_band_bps),
  spread: rateText(terms.sell_spread_bps),
  closed_seconds: String(terms.sell_closed_ms / 1_000),
});

const bpsOf = (rate: unknown): number => Number(storedRateOf(rate) / 10_000n);
const RECENT = statement(
  'options.list_recent_sellers',
  `SELECT DISTINCT customer_id FROM options.orders
   WHERE coin = $1 AND customer_id > $2 AND accepted_ms > extract(epoch FROM clock_timestamp() - interval '30 days') * 1000
   ORDER BY customer_id LIMIT $3`,
);

/** The terms of selling options on a coin before their end. An option keeps those that were signed at its purchase. */
export const optionSaleOfferKind: OfferKind = {
  name: 'option_sale',
  page: 'coins',
  subjects: COIN_CODES,
  read(_subject, from) {
    const fields = {
      offered: from.flag('offered'),
      volatility: from.rate('volatility', '5', 4),
      band: from.rate('band', '0.9', 4),
      spread: from.rate('spread', '0.2', 4),
      closed_seconds: from.text('closed_seconds', /^[1-9][0-9]{0,3}$/),
    };
    from.demand(bpsOf(fields.volatility) >= 100, 'volatility');
    // More than a tick, so that a sale never meets a settlement by the rules.
    from.demand(Number(fields.closed_seconds) >= 2 && Number(fields.closed_seconds) <= 3_600, 'closed_seconds');
    return fields;
  },
  async apply(transaction, { subject, after, approval }, now) {
    const terms: SaleTerms = {
      coin: subject as CoinCode,
      sell_vol_bps: bpsOf(after.volatility),
      sell_band_bps: bpsOf(after.band),
      sell_spread_bps: bpsOf(after.spread),
      sell_closed_ms: Number(after.closed_seconds) * 1_000,
    };
    await insertSaleTerms(transaction, [terms], now, approval, after.offered === true);
  },
  audience: async (queries, { subject }, after, limit) =>
    (await queries.query<{ customer_id: bigint }>(RECENT, [subject, after, limit])).map(
      ({ customer_id: customer }) => customer,
    ),
};
