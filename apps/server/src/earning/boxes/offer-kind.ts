import { type BoxPrize, largestPrizes, weightSumOf } from '@sathorn/proof';
import { HOUSE_OWNER, type Ledger } from '../../ledger/index.ts';
import { type OfferFields, type OfferKind, storedUnitsOf } from '../../staff/offer/index.ts';
import { insertDecidedBox } from './box-store.ts';
import { faultOfBox, type ProposedBox } from './publish-box.ts';

/** The slots in which boxes are sold. Each slot sells one box after another. */
const BOX_SLOTS = ['1', '2', '3', '4'] as const;
/** How long the signed box is public before its sale starts. */
const PUBLISHED_BEFORE_SALE_MS = 60_000;
const POINTS = /^[1-9][0-9]{0,8}$/;
const COUNT = /^[1-9][0-9]{0,4}$/;
const WEIGHT = /^[1-9][0-9]{0,7}$/;
const NAME = /^[^\p{Cc}<>]{1,40}$/u;
const LANGUAGES = ['en', 'th', 'zh', 'jp', 'ar', 'hi'] as const;
const DAYS_MAX = /^([1-9]|[1-9][0-9]|[12][0-9][0-9]|3[0-5][0-9]|36[0-5])$/;

interface Stored {
  readonly names: Readonly<Record<string, string>>;
  readonly price: string;
  readonly draws_max: string;
  readonly days: string;
  readonly beacon: string;
  readonly usdt_budget: string;
  readonly points_budget: string;
  readonly table: readonly { readonly prize: BoxPrize['prize']; readonly amount: string; readonly weight: string }[];
}

/** Builds the approved box, on sale from this time. */
export function buildApprovedBox(fields: OfferFields, from: Date): ProposedBox {
  const stored = fields as unknown as Stored;
  const opens = new Date(from.getTime() + PUBLISHED_BEFORE_SALE_MS);
  return {
    names: stored.names,
    price: BigInt(stored.price),
    table: stored.table.map(({ prize, amount, weight }) => ({
      prize,
      amount: prize === 'usdt' ? storedUnitsOf(amount) : BigInt(amount),
      weight: Number(weight),
    })),
    budget: { USDT: storedUnitsOf(stored.usdt_budget), POINTS: BigInt(stored.points_budget) },
    drawsMax: Number(stored.draws_max),
    opens,
    closes: new Date(opens.getTime() + Number(stored.days) * 86_400_000),
    beacon: stored.beacon,
  };
}

/** Offers a new box for a slot, whose current box stays until it ends. The new box's budget must be funded. */
export function boxOfferKind({
  ledger,
  hasBeacon,
}: {
  readonly ledger: Ledger;
  readonly hasBeacon: (name: string) => boolean;
}): OfferKind {
  return {
    name: 'box',
    page: 'products',
    subjects: BOX_SLOTS,
    read(_subject, from) {
      const names: Record<string, string> = {};
      from.list('names', { min: 2, max: LANGUAGES.length }, (one) => {
        names[one.text('language', new RegExp(`^(${LANGUAGES.join('|')})$`))] = one.text('name', NAME);
      });
      from.demand(names.en !== undefined && names.th !== undefined, 'names');
      const fields = {
        names,
        price: from.text('price', POINTS),
        draws_max: from.text('draws_max', COUNT),
        days: from.text('days', DAYS_MAX),
        beacon: from.text('beacon', /^(none|quicknet)$/),
        usdt_budget: from.usdt('usdt_budget'),
        points_budget: from.text('points_budget', /^(0|[1-9][0-9]{0,11})$/),
        table: from.list('table', { min: 1, max: 20 }, (row) => {
          const prize = row.text('prize', /^(usdt|points)$/);
          return {
            prize,
            amount: prize === 'points' ? row.text('amount', POINTS) : row.usdt('amount', 1n),
            weight: row.text('weight', WEIGHT),
          };
        }),
      };
      if (from.fault === null) {
        const now = new Date();
        const box = buildApprovedBox(fields, now);
        const largest = largestPrizes(box.table);
        from.demand(box.budget.USDT >= largest.USDT, 'usdt_budget');
        from.demand(box.budget.POINTS >= largest.POINTS, 'points_budget');
        from.demand(box.beacon === 'none' || hasBeacon(box.beacon), 'beacon');
        from.demand(faultOfBox(box, now, hasBeacon) === null, 'table');
      }
      return fields;
    },
    async check(_queries, { after, effectiveFrom }) {
      const { budget, table, drawsMax } = buildApprovedBox(after, effectiveFrom);
      const house = await ledger.balances(HOUSE_OWNER);
      const available = (asset: string): bigint =>
        house.find(({ account }) => account.name === 'rewards' && account.asset === asset)?.available ?? 0n;
      const sum = BigInt(weightSumOf(table));
      const expected = table.reduce(
        (all, { prize, amount, weight }) => (prize === 'usdt' ? all + amount * BigInt(weight) : all),
        0n,
      );
      return [
        {
          code: 'not_funded',
          ok: available('USDT') >= budget.USDT && available('POINTS') >= budget.POINTS,
          // The expected payout of all draws and the budget, both in USDT.
          value: `${(expected * BigInt(drawsMax)) / sum / 1_000_000n} / ${budget.USDT / 1_000_000n}`,
        },
      ];
    },
    audience: async () => [],
    apply: (transaction, change) => insertDecidedBox(transaction, change.approval, JSON.stringify(change.after)),
  };
}
