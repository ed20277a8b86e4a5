import { type AssetCode, add, isAssetCode, isMore, type Money, money, parseMoney, zero } from '@sathorn/money';
import {
  accept,
  type CorrectionHouse,
  type CorrectionKind,
  type CorrectionRefusal,
  type Decision,
  decideCorrection,
  decideKept,
  type KeptRefusal,
  refuse,
} from '@sathorn/settlement';
import { ACCOUNTS, type AccountName, customerAccount, houseAccount, type TransferView } from '../../ledger/index.ts';
import type { Queries } from '../../platform/database/index.ts';
import {
  type CorrectionReason,
  type CorrectionRow,
  hasTakenPartIn,
  isDepositTakenByOthers,
  isTransferUndone,
  sumCorrected,
  sumRecentCorrections,
} from './correction-store.ts';
import type { CorrectionsDependencies } from './corrections.ts';
import { findKeptText, readBookedOption } from './kept-store.ts';

export interface CorrectionProposal {
  readonly kind: CorrectionKind;
  readonly customer: bigint;
  readonly asset?: AssetCode | undefined;
  readonly amount?: string | undefined;
  readonly house?: CorrectionHouse | undefined;
  readonly transfer?: bigint | undefined;
  readonly deposit?: string | undefined;
  readonly kept?: string | undefined;
  readonly reason: CorrectionReason;
  readonly case_kind: CorrectionRow['case_kind'];
  readonly case_id: string;
}
export interface PreparedCorrection {
  readonly amount: Money;
  readonly house: CorrectionHouse;
  readonly wrong: TransferView | null;
  readonly houseAvailable: Money;
  readonly available: Money;
  readonly about: readonly bigint[];
}
type PrepareCorrectionRefusal =
  | CorrectionRefusal
  | 'customer_unknown'
  | 'transfer_unknown'
  | 'deposit_unknown'
  | KeptRefusal
  | 'kept_unknown'
  | 'account_short'
  | 'exceeds_available'
  | 'case_unknown'
  | 'conflict_of_interest';

const HOUSES: ReadonlySet<AccountName> = new Set(['house_capital', 'options_pool', 'fee_income', 'goodwill']);
export const CORRECTION_HOUSE_CODES = {
  house_capital: ACCOUNTS.house_capital.code,
  options_pool: ACCOUNTS.options_pool.code,
  fee_income: ACCOUNTS.fee_income.code,
  goodwill: ACCOUNTS.goodwill.code,
} as const satisfies Record<CorrectionHouse, number>;
export function correctionHouseOf(code: number): CorrectionHouse {
  const found = Object.entries(CORRECTION_HOUSE_CODES).find(([, one]) => one === code)?.[0];
  if (!found) throw new Error(`${code} is no account for corrections`);
  return found as CorrectionHouse;
}

/**
 * True if a correction is large. It adds the customer's corrections of the last 30 days and the maker's of the last
 * day, so that splitting does not avoid compliance. The limit is in the database. Call it in the transaction that
 * stores the proposal.
 */
export const isLargeCorrection = async (
  queries: Queries,
  maker: bigint,
  { customer, kind }: Pick<CorrectionProposal, 'customer' | 'kind'>,
  amount: Money,
): Promise<boolean> => {
  const { sum, smallMax } = await sumRecentCorrections(queries, customer, maker, amount.asset, kind === 'reverse');
  return isMore(add(sum, amount), smallMax);
};

/** Reads the subject of a proposal and decides on it. Writes nothing. */
export async function prepareCorrection(
  module: CorrectionsDependencies,
  operator: bigint,
  wanted: CorrectionProposal,
): Promise<Decision<PreparedCorrection, PrepareCorrectionRefusal>> {
  const { database, ledger } = module;
  const { customer, kind, reason } = wanted;
  if (!(await module.isCustomer(customer))) return refuse('customer_unknown', { field: 'customer' });
  const about = await module.concernedBy(customer);
  const own = await module.ownAccountOf(operator);
  if (own !== null && about.includes(own)) return refuse('conflict_of_interest');

  const wrong = wanted.transfer === undefined ? null : await ledger.transferAt(wanted.transfer);
  if (wrong === undefined) return refuse('transfer_unknown', { field: 'transfer' });
  if (wrong && (await hasTakenPartIn(database, wrong.sequence, operator))) return refuse('conflict_of_interest');
  const lost = wanted.deposit === undefined ? null : await module.depositOf(customer, wanted.deposit);
  if (wanted.deposit !== undefined && lost === null) return refuse('deposit_unknown', { field: 'deposit' });
  if (lost?.openedBy === operator) return refuse('conflict_of_interest');
  const kept = wanted.kept === undefined ? null : await findKeptText(database, customer, wanted.kept);
  if (kept === undefined) return refuse('kept_unknown', { field: 'kept' });
  const worth = kept && decideKept(kept, await readBookedOption(module, kept));
  if (worth?.ok === false) return worth;
  const asset = wrong?.debit.asset ?? (lost || kept ? 'USDT' : (wanted.asset ?? 'USDT'));
  if (!isAssetCode(asset)) throw new Error(`${asset} is no asset`);
  const asked = wanted.amount === undefined ? null : parseMoney(asset, wanted.amount);
  if (asked === undefined) return refuse('amount_not_positive', { field: 'amount' });
  const isGone = wrong
    ? await isTransferUndone(database, wrong.sequence, kind)
    : lost !== null && (await isDepositTakenByOthers(database, lost.id));
  const all = wrong ? money(asset, wrong.units) : lost?.amount;
  const corrected = isGone && all ? all : await sumCorrected(database, asset, wanted);
  const [mine, theirs] =
    (wrong && (kind === 'refund' ? [wrong.debit, wrong.credit] : [wrong.credit, wrong.debit])) || [];
  const decided = decideCorrection({
    kind,
    reason,
    amount: asked,
    house: wanted.house ?? null,
    wrong: wrong && {
      amount: money(asset, wrong.units),
      corrected,
      isCustomers:
        (wrong.kind === 'single' || wrong.kind === 'post') && mine?.owner === customer && mine.name === 'spot',
      house: theirs && HOUSES.has(theirs.name) ? (theirs.name as CorrectionHouse) : null,
    },
    lost: lost && { amount: lost.amount, corrected, isLost: lost.isLost },
    kept: worth && { amount: worth.effect, corrected: kept?.correction == null ? zero(asset) : worth.effect },
  });
  if (!decided.ok) return decided;
  const { amount, house } = decided.effect;

  const [ofHouse, ofCustomer] = await Promise.all([ledger.balances(0n), ledger.balances(customer)]);
  const availableOf = (balances: typeof ofHouse, name: AccountName) =>
    money(asset, balances.find(({ account }) => account.name === name && account.asset === asset)?.available ?? 0n);
  const houseAvailable = availableOf(ofHouse, house);
  const available = availableOf(ofCustomer, 'spot');
  if (kind !== 'reverse' && isMore(amount, houseAvailable)) return refuse('account_short', { field: 'house' });
  if (kind === 'reverse' && isMore(amount, available)) return refuse('exceeds_available', { field: 'amount' });

  const { case_kind: caseKind, case_id: caseId } = wanted;
  const isKnown =
    caseKind === 'dispute'
      ? await module.hasDispute(customer, caseId)
      : caseKind === 'incident'
        ? await module.hasIncident(database, caseId)
        : caseKind === 'deposit'
          ? (await module.depositOf(customer, caseId)) !== null
          : caseKind === 'kept'
            ? kept?.case_id === caseId
            : (await ledger.journal(caseId)) !== null;
  if (!isKnown) return refuse('case_unknown', { field: 'case_id' });
  return accept({ amount, house, wrong, houseAvailable, available, about });
}

/** The accounts and the purpose of a correction's transfer. */
export function correctionMovesOf({
  kind,
  customer,
  asset,
  house,
}: {
  readonly kind: CorrectionKind;
  readonly customer: bigint;
  readonly asset: AssetCode;
  readonly house: CorrectionHouse;
}) {
  const [pool, spot] = [houseAccount(house, asset), customerAccount(customer, asset)];
  return kind === 'reverse'
    ? { debit: spot, credit: pool, code: 'correction_reverse' as const }
    : {
        debit: pool,
        credit: spot,
        code: kind === 'refund' ? ('correction_refund' as const) : ('correction_goodwill' as const),
      };
}
