import { OWNERS_MIN } from './decide-transaction.ts';

/** An owner that the chain counts. */
export interface CountedOwner {
  readonly address: string;
  /** The id of the operator whose key it is; null for a cold owner, or one that nobody has registered. */
  readonly operator: string | null;
  /** A demo's server holds the key. */
  readonly isDemo: boolean;
  /** False once the operator has left, or may no longer sign payments. */
  readonly isColleague: boolean;
  /** The operator has removed this passkey, or lost it. */
  readonly isKeyRemoved: boolean;
}

/** An operator who may sign payments, and who has a key for it. */
export interface OwnerCandidate {
  readonly operator: string;
  /** A passkey of the operator's own, not one that a demo's server holds. */
  readonly hasPasskey: boolean;
}

/** A change of owners that is due, with the reason. */
export interface ProposedOwnerChange {
  readonly change: 'add' | 'remove' | 'swap';
  readonly why: 'left' | 'key_lost' | 'own_key' | 'joined';
  /** The leaving owner's address; null for `add`. */
  readonly leaving: string | null;
  /** Whose key comes; null for `remove`. */
  readonly coming: string | null;
}

/**
 * The changes of owners that are due: who left is replaced by somebody who joined, or removed while at least three
 * owners remain; who lost a passkey is replaced by the newest one; who joined is added. Each is a run of its own.
 */
export function proposeOwnerChanges(
  owners: readonly CountedOwner[],
  candidates: readonly OwnerCandidate[],
): ProposedOwnerChange[] {
  const named = new Set(owners.flatMap(({ operator, isColleague }) => (isColleague ? (operator ?? []) : [])));
  const joined = candidates.filter(({ operator }) => !named.has(operator)).map(({ operator }) => operator);
  const canSign = new Set(candidates.filter(({ hasPasskey }) => hasPasskey).map(({ operator }) => operator));
  let remaining = owners.length;
  const replaced = owners.flatMap(({ address, operator, isDemo, isColleague, isKeyRemoved }): ProposedOwnerChange[] => {
    if (operator === null) return [];
    const hasAnother = owners.some((one) => one.operator === operator && one.address !== address && !one.isKeyRemoved);
    const canReplace = isColleague && canSign.has(operator) && !hasAnother;
    if (isColleague && !isKeyRemoved)
      return isDemo && canReplace ? [{ change: 'swap', why: 'own_key', leaving: address, coming: operator }] : [];
    const why = isColleague ? 'key_lost' : 'left';
    const coming = canReplace ? operator : joined.shift();
    if (coming !== undefined) return [{ change: 'swap', why, leaving: address, coming }];
    if (remaining <= OWNERS_MIN) return [];
    remaining -= 1;
    return [{ change: 'remove', why, leaving: address, coming: null }];
  });
  return [
    ...replaced,
    ...joined.map(
      (operator): ProposedOwnerChange => ({ change: 'add', why: 'joined', leaving: null, coming: operator }),
    ),
  ];
}
