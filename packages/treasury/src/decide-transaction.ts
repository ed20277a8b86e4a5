import { accept, type Decision, refuse } from '@sathorn/settlement';
import { type OwnerChange, readOwnerChange, SENTINEL } from './owner-change.ts';
import { type RunLine, readPackedCalls, readTransfer } from './payment-run.ts';
import { type SafeTransaction, ZERO_ADDRESS } from './safe-transaction.ts';

/** What the chain says of the treasury. Addresses are in lower case. */
export interface TreasuryFacts {
  readonly safe: string;
  /** The address of `MultiSendCallOnly`. */
  readonly multiSend: string;
  readonly tokens: readonly string[];
  /** In the order of `getOwners`. */
  readonly owners: readonly string[];
  readonly threshold: number;
  readonly nonce: bigint;
}

/** A treasury needs two of at least three owners. */
export const OWNERS_MIN = 3;
export const THRESHOLD_MIN = 2;
/** A run has at most this many lines, so that it fits well into a block. */
export const RUN_LINES_MAX = 100;

export type TreasuryRefusal =
  | 'nonce_differs'
  | 'target_unknown'
  | 'delegate_call'
  | 'run_malformed'
  | 'run_empty'
  | 'run_too_long'
  | 'line_of_another_contract'
  | 'line_delegate_call'
  | 'line_with_coins'
  | 'line_not_transfer'
  | 'line_without_amount'
  | 'line_to_house'
  | 'call_unknown'
  | 'owner_malformed'
  | 'owner_unknown'
  | 'owner_already'
  | 'previous_differs'
  | 'threshold_too_low'
  | 'threshold_too_high'
  | 'too_few_owners';

export type TreasuryAct =
  | { readonly kind: 'run'; readonly lines: readonly RunLine[] }
  | { readonly kind: 'owners'; readonly change: OwnerChange };

/**
 * Decides what a transaction of the treasury would do. Only transfers of the listed tokens and changes of owners are
 * possible: the console proposes, the signer sends and the checker accepts nothing else.
 */
export function decideTreasuryTransaction(
  transaction: SafeTransaction,
  facts: TreasuryFacts,
): Decision<TreasuryAct, TreasuryRefusal> {
  const to = transaction.to.toLowerCase();
  if (transaction.nonce !== facts.nonce) return refuse('nonce_differs');
  if (to === facts.multiSend) {
    if (transaction.operation !== 'delegatecall') return refuse('call_unknown');
    return decideRun(transaction, facts);
  }
  if (transaction.operation !== 'call') return refuse('delegate_call');
  if (to !== facts.safe) return refuse('target_unknown');
  const change = readOwnerChange(transaction.data);
  if (change === undefined) return refuse('call_unknown');
  const refusal = refuseOwnerChange(change, facts);
  return refusal === null ? accept({ kind: 'owners', change }) : refuse(refusal);
}

function decideRun({ data }: SafeTransaction, facts: TreasuryFacts): Decision<TreasuryAct, TreasuryRefusal> {
  const calls = readPackedCalls(data);
  if (calls === undefined) return refuse('run_malformed');
  if (calls.length === 0) return refuse('run_empty');
  if (calls.length > RUN_LINES_MAX) return refuse('run_too_long');
  const lines: RunLine[] = [];
  for (const { operation, to: token, value, data: call } of calls) {
    if (operation !== 0) return refuse('line_delegate_call');
    if (value !== 0n) return refuse('line_with_coins');
    if (!facts.tokens.includes(token)) return refuse('line_of_another_contract');
    const transfer = readTransfer(call);
    if (transfer === undefined) return refuse('line_not_transfer');
    if (transfer.units === 0n) return refuse('line_without_amount');
    if ([facts.safe, token, ZERO_ADDRESS].includes(transfer.to)) return refuse('line_to_house');
    lines.push({ token, ...transfer });
  }
  return accept({ kind: 'run', lines });
}

function refuseOwnerChange(change: OwnerChange, { safe, owners, threshold }: TreasuryFacts): TreasuryRefusal | null {
  const after = change.kind === 'swap' ? threshold : change.threshold;
  const count = owners.length + (change.kind === 'add' ? 1 : change.kind === 'remove' ? -1 : 0);
  if (change.kind !== 'remove') {
    const added = change.kind === 'add' ? change.owner : change.next;
    if ([safe, SENTINEL, ZERO_ADDRESS].includes(added)) return 'owner_malformed';
    if (owners.includes(added)) return 'owner_already';
  }
  if (change.kind !== 'add') {
    const place = owners.indexOf(change.owner);
    if (place === -1) return 'owner_unknown';
    if (change.previous !== (owners[place - 1] ?? SENTINEL)) return 'previous_differs';
  }
  if (count < OWNERS_MIN) return 'too_few_owners';
  if (after < THRESHOLD_MIN) return 'threshold_too_low';
  // One lost key must not lock the money up.
  return after >= count ? 'threshold_too_high' : null;
}
