import { COIN_CODES, type CoinCode, type Money } from '@sathorn/money';
import { CONTRACT_FEES, CONTRACT_LIMITS, type ContractFees } from '@sathorn/settlement';
import { statement } from '../../platform/database/index.ts';
import {
  type OfferFields,
  type OfferKind,
  storedRateOf,
  storedUnitsOf,
  storedUsdtOf,
} from '../../staff/offer/index.ts';

/** The parts of a coin's contract terms that two people may change. */
interface CoinTerms {
  readonly isOffered: boolean;
  readonly amountMin: Money<'USDT'>;
  readonly amountMax: Money<'USDT'>;
}

export interface ContractTerms {
  /** Listed by VIP level. */
  readonly fees: readonly ContractFees[];
  of(coin: CoinCode): CoinTerms;
}

const { amountMin, amountMax } = CONTRACT_LIMITS;

/** The terms of version 1. */
export const FIRST_CONTRACT_TERMS: ContractTerms = {
  fees: CONTRACT_FEES,
  of: () => ({ isOffered: true, amountMin, amountMax }),
};

type InForce = (kind: string, subject: string) => OfferFields | null;
interface StoredFees {
  readonly levels: readonly { readonly maker: string; readonly taker: string }[];
}
const bpsOf = (rate: string): number => Number(storedRateOf(rate) / 10_000n);

/** The parsed fees are cached per version, because every order reads the terms. */
const readFees = new WeakMap<OfferFields, readonly ContractFees[]>();
const readCoins = new WeakMap<OfferFields, CoinTerms>();

function feesIn(fields: OfferFields): readonly ContractFees[] {
  const known = readFees.get(fields);
  if (known) return known;
  const { levels } = fields as unknown as StoredFees;
  const fees = levels.map(({ maker, taker }) => ({ makerBps: bpsOf(maker), takerBps: bpsOf(taker) }));
  readFees.set(fields, fees);
  return fees;
}

function coinIn(fields: OfferFields): CoinTerms {
  const known = readCoins.get(fields);
  if (known) return known;
  const terms = {
    isOffered: fields.contracts === true,
    amountMin: storedUsdtOf(fields.amount_min),
    amountMax: storedUsdtOf(fields.amount_max),
  };
  readCoins.set(fields, terms);
  return terms;
}

/** The terms in force. */
export function contractTermsOf(inForce: InForce, isOn = true): ContractTerms {
  const fees = inForce('fee', 'contracts');
  return {
    fees: fees === null ? FIRST_CONTRACT_TERMS.fees : feesIn(fees),
    of(coin) {
      const fields = inForce('coin', coin);
      const terms = fields === null ? FIRST_CONTRACT_TERMS.of(coin) : coinIn(fields);
      return isOn ? terms : { ...terms, isOffered: false };
    },
  };
}

const OWNERS = statement(
  'contracts.list_owners_of_open',
  `SELECT DISTINCT customer_id FROM contracts.orders
   WHERE is_live AND coin = $1 AND customer_id > $2 AND customer_id > 0 ORDER BY customer_id LIMIT $3`,
);

/** Fees by VIP level. Open orders keep those under which they were accepted. */
export const feeOfferKind: OfferKind = {
  name: 'fee',
  page: 'products',
  subjects: ['contracts'],
  read(_subject, from) {
    return {
      levels: from.list('levels', { min: CONTRACT_FEES.length, max: CONTRACT_FEES.length }, (level) => ({
        maker: level.rate('maker', '0.02', 4),
        taker: level.rate('taker', '0.02', 4),
      })),
    };
  },
};

/** Decides whether a coin is traded on the book, and the limits of an order. Open orders stay and can be revoked. */
export const coinOfferKind: OfferKind = {
  name: 'coin',
  page: 'coins',
  subjects: COIN_CODES,
  read(_subject, from) {
    const fields = {
      contracts: from.flag('contracts'),
      amount_min: from.usdt('amount_min', 1n),
      amount_max: from.usdt('amount_max', 1n),
    };
    from.demand(storedUnitsOf(fields.amount_max) >= storedUnitsOf(fields.amount_min), 'amount_max');
    return fields;
  },
  audience: async (queries, { subject }, after, limit) =>
    (await queries.query<{ customer_id: bigint }>(OWNERS, [subject, after, limit])).map(
      ({ customer_id: customer }) => customer,
    ),
};
