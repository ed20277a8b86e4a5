import { type Decision, refuse } from '@sathorn/settlement';
import type { Intent } from '../platform/intent.ts';
import type { AccountBook } from './account-book.ts';
import type { AnyKind, BatchEntry } from './batch-entry.ts';
import { PURPOSES, TRANSFER_KIND_LETTERS } from './chart.ts';
import { type AcceptedPosting, type AccountKey, HOUSE_OWNER, type PlayGuard, type Transfer } from './journal.ts';
import type { PostColumns } from './ledger-store.ts';
import { type IntentOutcome, storedAnswerOf } from './outcomes.ts';

export type AnyDecision = Decision<unknown, string>;

/** The entries of one kind, which share a context. */
export interface KindGroup {
  readonly commands: unknown[];
  context: unknown;
  readonly accepted: AcceptedPosting<unknown, unknown>[];
}

export interface DecidedBatch {
  /** The decisions in the order of the entries. */
  readonly decisions: readonly AnyDecision[];
  readonly columns: PostColumns;
  /** The ledger's last sequence after this batch. */
  readonly sequence: bigint;
  /** Customers whose accounts were moved. */
  readonly touched: ReadonlySet<bigint>;
  /** Customers with accepted orders that their own limits might have refused, each with the largest accepted stake. */
  readonly plays: ReadonlyMap<bigint, bigint>;
}

export interface BatchBasis {
  readonly book: AccountBook;
  readonly groups: ReadonlyMap<AnyKind, KindGroup>;
  /** Outcomes of intents in this batch that were posted earlier. */
  readonly outcomes: ReadonlyMap<string, IntentOutcome>;
  readonly lastSequence: bigint;
  readonly isHalted: boolean;
  /**
   * True if the batch is decided from memory. Every hot kind then writes, even when nothing is accepted, so that the
   * database can reject stale memory.
   */
  readonly isSpeculative: boolean;
  /** Customers who may not move money. */
  readonly frozen: ReadonlySet<bigint>;
  /** The guards of customers who have set limits. Empty for a speculative batch, whose limits the database checks. */
  readonly guards: ReadonlyMap<bigint, PlayGuard>;
  readonly now: Date;
}

export function groupByKind(entries: readonly BatchEntry[]): Map<AnyKind, KindGroup> {
  const groups = new Map<AnyKind, KindGroup>();
  for (const { kind, command } of entries) {
    const group = groups.get(kind);
    if (group) group.commands.push(command);
    else groups.set(kind, { commands: [command], context: undefined, accepted: [] });
  }
  return groups;
}

/** Decides each entry in turn, on the state that the previous entries left. Changes only the book and the groups. */
export function decideBatch(entries: readonly BatchEntry[], basis: BatchBasis): DecidedBatch {
  const { book, groups, lastSequence, isHalted, frozen, guards, now } = basis;
  const known = new Map(basis.outcomes);
  const columns: PostColumns = { journals: [], transfers: [] };
  const touched = new Set<bigint>();
  const plays = new Map<bigint, bigint>();
  let sequence = lastSequence;

  const append = (transfer: Transfer, intent: Intent): bigint => {
    const isNew = transfer.kind === 'single' || transfer.kind === 'hold';
    const sides: { debit: AccountKey; credit: AccountKey } = isNew ? transfer : transfer.hold;
    const [from, to] = [book.toMove(sides.debit), book.toMove(sides.credit)];
    const { debitAfter, creditAfter } = book.apply(transfer, from, to);
    if (from.key.owner !== HOUSE_OWNER) touched.add(from.key.owner);
    if (to.key.owner !== HOUSE_OWNER) touched.add(to.key.owner);
    columns.transfers.push({
      journal: intent.id,
      kind: TRANSFER_KIND_LETTERS[transfer.kind],
      resolves: isNew ? null : transfer.hold.sequence,
      asset: sides.debit.asset,
      debit: from,
      credit: to,
      units: transfer.kind === 'void' ? transfer.hold.units : transfer.units,
      held: isNew ? 0n : transfer.hold.units,
      code: PURPOSES[transfer.code].code,
      debitAfter,
      creditAfter,
    });
    sequence += 1n;
    return sequence;
  };

  const decide = ({ kind, command, intent }: BatchEntry): AnyDecision => {
    const before = known.get(intent.id);
    if (before) return before.digest === intent.digest ? decisionOf(before) : refuse('idempotency_key_reused');
    if (isHalted) return refuse('money_halted');
    const group = groups.get(kind);
    if (!group) throw new Error('an entry lost its group');
    const first = sequence + 1n;
    const customer = kind.customer(command);
    const isFrozen = customer !== null && frozen.has(customer);
    const play = customer === null ? null : (kind.play?.(command) ?? null);
    const guard = play === null || isFrozen ? undefined : guards.get(customer as bigint);
    const stopped = play && guard?.refusalOf(play);
    const decision = isFrozen
      ? refuse('account_frozen')
      : (stopped ?? kind.decide(command, book, { now, intent, context: group.context }));
    let outcome: IntentOutcome;
    if (decision.ok) {
      if (play !== null && customer !== null) {
        guard?.accepted(play);
        const largest = plays.get(customer) ?? 0n;
        plays.set(customer, play.stake > largest ? play.stake : largest);
      }
      const { transfers, answer } = decision.effect;
      const sequences = transfers.map((transfer) => append(transfer, intent));
      group.accepted.push({ command, intent, answer, sequences });
      outcome = { digest: intent.digest, refusal: null, answer };
    } else if (kind.isRepeated) {
      return decision;
    } else {
      const { refusal, params, field } = decision;
      const detail = params || field ? { ...(params && { params }), ...(field && { field }) } : null;
      outcome = { digest: intent.digest, refusal, answer: detail };
    }
    columns.journals.push({
      id: intent.id,
      kind: kind.name,
      digest: intent.digest,
      refusal: outcome.refusal,
      answer: storedAnswerOf(outcome, kind),
      first,
      count: Number(sequence - first) + 1,
    });
    known.set(intent.id, outcome);
    return decision.ok ? { ok: true, effect: outcome.answer } : decision;
  };

  const decisions = entries.map(decide);
  return { decisions, columns, sequence, touched, plays };
}

function decisionOf({ refusal, answer }: IntentOutcome): AnyDecision {
  if (refusal === null) return { ok: true, effect: answer };
  return { ok: false, refusal, ...(answer as { params?: Record<string, string>; field?: string } | null) };
}
