import { money } from '@sathorn/money';
import { type BoxPrize, type BoxTerms, DRAWS_MAX, largestPrizes, weightSumOf, writeBoxTerms } from '@sathorn/proof';
import { type Decision, refuse } from '@sathorn/settlement';
import { type Ledger, type LedgerRefusal, uuidOfName } from '../../ledger/index.ts';
import type { Signer } from '../../platform/proofs/index.ts';
import { type BoxSeeds, boxPromisesOf } from './box-seeds.ts';
import type { NewBox } from './box-store.ts';
import { fundBoxKind } from './draw-kind.ts';

/** The parts of a box that two people decide. */
export interface ProposedBox {
  /** Texts by language, at least English and Thai. */
  readonly names: Readonly<Record<string, string>>;
  /** In points. */
  readonly price: bigint;
  readonly table: readonly BoxPrize[];
  readonly budget: { readonly USDT: bigint; readonly POINTS: bigint };
  readonly drawsMax: number;
  readonly opens: Date;
  readonly closes: Date;
  readonly beacon: string;
}

export type BoxProposalFault = 'table_malformed' | 'budget_too_small' | 'times_malformed' | 'beacon_unknown';
const ROWS_MAX = 20;
const AMOUNT_MAX = 10n ** 14n;

/** The first fault of a proposal; null if there is none. */
export function faultOfBox(box: ProposedBox, now: Date, hasBeacon: (name: string) => boolean): BoxProposalFault | null {
  const { table, budget, drawsMax, price } = box;
  const isTable =
    table.length > 0 &&
    table.length <= ROWS_MAX &&
    table.every(({ amount, weight }) => amount > 0n && amount < AMOUNT_MAX && Number.isInteger(weight) && weight > 0) &&
    weightSumOf(table) <= 1_000_000_000;
  if (!isTable || price <= 0n || !Number.isInteger(drawsMax) || drawsMax < 1 || drawsMax > DRAWS_MAX)
    return 'table_malformed';
  const largest = largestPrizes(table);
  if (budget.USDT < largest.USDT || budget.POINTS < largest.POINTS) return 'budget_too_small';
  if (box.opens < now || box.closes <= box.opens) return 'times_malformed';
  return box.beacon === 'none' || hasBeacon(box.beacon) ? null : 'beacon_unknown';
}

interface PublishBoxDependencies {
  readonly ledger: Ledger;
  readonly signer: Signer;
  readonly seeds: BoxSeeds;
  readonly environment: 'live' | 'demo';
}

/**
 * Publishes a box and reserves its budget. Its id follows from the name of the decision, so one decision publishes it
 * only once.
 */
export async function publishBox(
  { name, box, approval, now }: { name: string; box: ProposedBox; approval: string | null; now: Date },
  { ledger, signer, seeds, environment }: PublishBoxDependencies,
): Promise<Decision<{ readonly id: string }, 'not_funded' | LedgerRefusal>> {
  const id = uuidOfName(`boxes.box/${name}`);
  const largest = largestPrizes(box.table);
  const { root, commitments } = boxPromisesOf(seeds.commitmentsOf(id, box.drawsMax));
  const terms: BoxTerms = {
    id,
    price: box.price,
    table: box.table,
    budget: box.budget,
    drawsMax: box.drawsMax,
    opensMs: box.opens.getTime(),
    closesMs: box.closes.getTime(),
    beacon: box.beacon,
    root,
    environment,
  };
  const signed = signer.sign(writeBoxTerms(terms));
  const row: NewBox = {
    id,
    ...signed,
    names: box.names,
    price: money('POINTS', box.price),
    draws_max: box.drawsMax,
    opens_at: box.opens,
    closes_at: box.closes,
    usdt_max: money('USDT', largest.USDT),
    points_max: money('POINTS', largest.POINTS),
    usdt_budget: money('USDT', box.budget.USDT),
    points_budget: money('POINTS', box.budget.POINTS),
    published_at: now,
    approval,
    commitments,
  };
  const decision = await ledger.post(fundBoxKind, row, { id: uuidOfName(`boxes.fund/${id}`), digest: id });
  if (decision.ok) return { ok: true, effect: { id } };
  // The ledger stores the refusal under this id. So a later try, once the account is funded, needs another decision.
  return decision.refusal === 'not_funded' ? refuse('not_funded') : decision;
}
