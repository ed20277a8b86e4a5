import { accept, type Decision, refuse } from './decision.ts';

export interface FactorProof {
  /** An authenticator app is active. */
  readonly hasAuthenticator: boolean;
  readonly passkeys: number;
  /**
   * The proof that was sent for exactly this operation: a factor (a code of the app or a passkey) or a recovery code.
   * `wrong` includes a proof of another operation and one that is used or too old. Null if nothing was sent.
   */
  readonly proof: 'factor' | 'recovery_code' | 'wrong' | null;
  /** A recovery code replaces the lost app, so it may only turn that app off. */
  readonly takesRecoveryCode: boolean;
}

/**
 * Decides whether a customer may send money away, or change a factor, a password or a contact. A customer with a factor
 * proves it, so a stolen session and payment password cannot replace it. Only the slow reset does without.
 */
export function decideFactorProof({
  hasAuthenticator,
  passkeys,
  proof,
  takesRecoveryCode,
}: FactorProof): Decision<null, 'second_factor_required' | 'second_factor_wrong'> {
  if (!hasAuthenticator && passkeys === 0) return accept(null);
  if (proof === null) return refuse('second_factor_required');
  if (proof === 'wrong' || (proof === 'recovery_code' && !takesRecoveryCode)) return refuse('second_factor_wrong');
  return accept(null);
}

/**
 * A factor is void if its addition began before the last change of factors. Otherwise a thief could begin an addition
 * while there is no factor to prove, and finish it later.
 */
export const isBegunBefore = (begunAt: Date, factorsChangedAt: Date | null): boolean =>
  factorsChangedAt !== null && begunAt < factorsChangedAt;
