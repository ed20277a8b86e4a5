/** Where available money came from or went. Each product is a separate pool: returns beyond its stakes are gains. */
export type ReversalUseKind = 'in' | 'out' | 'options' | 'contracts' | 'earning' | 'rewards';

/** A change of a customer's available balance between a credit and its reversal, in units of one asset. */
export interface ReversalMovement {
  readonly of: ReversalUseKind;
  /** Negative when money is put into a product or leaves. */
  readonly units: bigint;
}

/** In units of the asset, each at least 0. */
export interface ReversalUse {
  /** The largest amount at any time that was in products or gone and that only the deposit can have paid for. */
  readonly used: bigint;
  /** The profit of that amount. */
  readonly gained: bigint;
  /** Withdrawals and transfers to others that only the deposit and its gains paid for. */
  readonly left: bigint;
}

/** The money in a product: the deposit's part (`by`), the total (`all`), and the deposit's share of the returns. */
interface Pool {
  readonly by: bigint;
  readonly all: bigint;
  readonly share: readonly [part: bigint, whole: bigint];
}
const EMPTY: Pool = { by: 0n, all: 0n, share: [0n, 1n] };
const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);

/**
 * Computes how a customer used a deposit that a reorganisation later undid: everything that the balance could not have
 * paid without it. The customer's own money always pays first. A gain is shared in proportion to both parts in the
 * product, and rounded in the customer's favour. Money still in a product has gained nothing yet.
 */
export function reversalUseOf({
  before,
  deposit,
  movements,
}: {
  /** The available balance just before the credit. */
  readonly before: bigint;
  readonly deposit: bigint;
  readonly movements: readonly ReversalMovement[];
}): ReversalUse {
  let own = before;
  let [used, gained, left] = [0n, 0n, 0n];
  const pools = new Map<ReversalUseKind, Pool>();
  /** Takes this much from the customer's own money first; returns the rest, which the deposit paid. */
  const pay = (units: bigint): bigint => {
    const paid = least(own, units);
    own -= paid;
    return units - paid;
  };
  for (const { of, units } of movements) {
    if (of === 'in' && units > 0n) own += units;
    else if (of === 'in') pay(-units);
    else if (of === 'out' && units < 0n) left += pay(-units);
    else if (of === 'out') {
      // When a withdrawal comes back, the deposit's part of it no longer counts as gone.
      const back = least(left, units);
      left -= back;
      own += units - back;
    } else if (units < 0n) {
      const pool = pools.get(of) ?? EMPTY;
      const by = pool.by + pay(-units);
      const all = pool.all - units;
      pools.set(of, { by, all, share: [by, all] });
    } else {
      const pool = pools.get(of) ?? EMPTY;
      const [part, whole] = pool.share;
      const principal = least(units, pool.all);
      const back = units < pool.all ? (principal * part) / whole : pool.by;
      const made = ((units - principal) * part) / whole;
      gained += made;
      own += units - back - made;
      const [by, all] = [pool.by - back, pool.all - principal];
      // An empty pool keeps its share for later returns of the product, such as a profit paid after its stake.
      pools.set(of, { by, all, share: all === 0n ? pool.share : [by, all] });
    }
    const inUse = [...pools.values()].reduce((sum, { by }) => sum + by, left);
    if (inUse > used) used = least(inUse, deposit);
  }
  return { used, gained, left };
}
