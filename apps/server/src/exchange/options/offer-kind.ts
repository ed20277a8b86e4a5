import { COIN_CODES, formatMoney, money } from '@sathorn/money';
import { HOUSE_OWNER, type Ledger } from '../../ledger/index.ts';
import { arrayLiteral, type Queries, statement, type Transaction } from '../../platform/database/index.ts';
import { type OfferKind, type OfferTermsChange, storedRateOf, storedUnitsOf } from '../../staff/offer/index.ts';

const SECONDS_MIN = 10;
const SECONDS_MAX = 86_400;
const DURATIONS_MAX = 12;
const STAKE_LEAST = 1_000_000n;

interface Duration {
  readonly seconds: string;
  readonly offered: boolean;
  readonly payout: string;
  readonly fee: string;
}
interface Stored {
  readonly stake_min: string;
  readonly stake_max: string;
  readonly window_exposure_max: string;
  readonly coin_exposure_max: string;
  readonly durations: readonly Duration[];
}
const storedOf = (change: OfferTermsChange): Stored => change.after as unknown as Stored;

const INSERT = statement(
  'options.insert_terms',
  `INSERT INTO options.terms (coin, seconds, effective_from, offered, payout_bps, fee_bps, stake_min, stake_max, window_exposure_max, coin_exposure_max, approval)
   SELECT $1, seconds, $2, offered, payout_bps, fee_bps, $7, $8, $9, $10, $11
   FROM unnest($3::integer[], $4::boolean[], $5::integer[], $6::integer[]) AS t(seconds, offered, payout_bps, fee_bps)`,
);
const RECENT = statement(
  'options.list_recent_buyers',
  `SELECT DISTINCT customer_id FROM options.orders
   WHERE coin = $1 AND customer_id > $2 AND accepted_ms > extract(epoch FROM clock_timestamp() - interval '30 days') * 1000
   ORDER BY customer_id LIMIT $3`,
);

const bpsOf = (rate: string): number => Number(storedRateOf(rate) / 10_000n);

/** Terms start when they are inserted: an offer that began earlier could precede existing orders. */
function insertTerms(transaction: Transaction, change: OfferTermsChange & { readonly approval: string }, now: Date) {
  const { durations, ...limits } = storedOf(change);
  return transaction.query(INSERT, [
    change.subject,
    now,
    arrayLiteral(durations.map(({ seconds }) => Number(seconds))),
    durations.map(({ offered }) => offered),
    arrayLiteral(durations.map(({ payout }) => bpsOf(payout))),
    arrayLiteral(durations.map(({ fee }) => bpsOf(fee))),
    storedUnitsOf(limits.stake_min),
    storedUnitsOf(limits.stake_max),
    storedUnitsOf(limits.window_exposure_max),
    storedUnitsOf(limits.coin_exposure_max),
    change.approval,
  ]);
}

/** Payouts, fees, durations and limits of options on a coin. Orders keep the terms signed at their purchase. */
export function optionOfferKind({ ledger }: { readonly ledger: Ledger }): OfferKind {
  const poolOf = async (): Promise<bigint> => {
    const pool = (await ledger.balances(HOUSE_OWNER)).find(
      ({ account }) => account.name === 'options_pool' && account.asset === 'USDT',
    );
    return (pool?.available ?? 0n) + (pool?.held ?? 0n);
  };
  return {
    name: 'option',
    page: 'coins',
    subjects: COIN_CODES,
    read(_subject, from) {
      const fields = {
        stake_min: from.usdt('stake_min', STAKE_LEAST),
        stake_max: from.usdt('stake_max', STAKE_LEAST),
        window_exposure_max: from.usdt('window_exposure_max'),
        coin_exposure_max: from.usdt('coin_exposure_max'),
        durations: from.list('durations', { min: 1, max: DURATIONS_MAX }, (duration) => {
          const seconds = duration.text('seconds', /^[1-9][0-9]{1,4}$/);
          duration.demand(Number(seconds) >= SECONDS_MIN && Number(seconds) <= SECONDS_MAX, 'seconds');
          const payout = duration.rate('payout', '2', 4);
          duration.demand(payout !== '0', 'payout');
          return { seconds, offered: duration.flag('offered'), payout, fee: duration.rate('fee', '1', 4) };
        }),
      };
      const seconds = fields.durations.map((duration) => Number(duration.seconds));
      from.demand(
        seconds.every((one, n) => n === 0 || one > (seconds[n - 1] ?? 0)),
        'durations',
      );
      from.demand(storedUnitsOf(fields.stake_max) >= storedUnitsOf(fields.stake_min), 'stake_max');
      from.demand(
        storedUnitsOf(fields.coin_exposure_max) >= storedUnitsOf(fields.window_exposure_max),
        'coin_exposure_max',
      );
      return fields;
    },
    async check(_queries: Queries, change) {
      const limit = storedUnitsOf(storedOf(change).coin_exposure_max);
      const before = change.before === null ? 0n : storedUnitsOf(change.before.coin_exposure_max);
      const pool = await poolOf();
      const text = (units: bigint): string => formatMoney(money('USDT', units));
      // A purchase that the pool cannot cover is refused anyway, so a limit above the pool would be an empty promise.
      return [{ code: 'not_funded', ok: limit <= before || limit <= pool, value: `${text(limit)} / ${text(pool)}` }];
    },
    async apply(transaction, change, now) {
      await insertTerms(transaction, change, now);
    },
    audience: async (queries, { subject }, after, limit) =>
      (await queries.query<{ customer_id: bigint }>(RECENT, [subject, after, limit])).map(
        ({ customer_id: customer }) => customer,
      ),
  };
}
