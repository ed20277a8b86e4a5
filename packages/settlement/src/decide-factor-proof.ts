import { accept, type Decision, refuse } from './decision.ts';

export interface FactorProof {
  /** An authenticator app is active. */
  readonly hasAuthenticator: boolean;
  readonly passkeys: number;
  /**
   * What was proved for exactly this operation: a factor (by a code of the app or a passkey) or a recovery code.
   * `wrong` is also a proof of another operation, and one that was used or is old. Null if nothing was sent.
   */
  readonly proof: 'factor' | 'recovery_code' | 'wrong' | null;
  /** A recovery code stands for the lost app, so it may turn that app off, and do nothing else. */
  readonly takesRecoveryCode: boolean;
}

/**
 * Whether a customer may send money away, or change a factor, a password or a contact. Whoever has a factor proves one:
 * a stolen session with the payment password can't replace the owner's. Only the reset that takes days goes without.
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
 * A factor whose addition was begun before the last change of factors is void: a thief could have begun it while there
 * was none to prove, to finish it afterwards.
 */
export const isBegunBefore = (begunAt: Date, factorsChangedAt: Date | null): boolean =>
  factorsChangedAt !== null && begunAt < factorsChangedAt;
