import { accept, type Decision, refuse } from './decision.ts';

/** How far the time in a signed request may differ from ours, either way. */
export const KEY_TIME_OFF_MAX_MS = 5_000;

/** A request that an API key has signed. */
export interface KeyUse<Scope extends string> {
  /** Null for a key that doesn't exist. */
  readonly key: {
    /** Null until the key is removed, or ended by a new password or a freeze. */
    readonly revokedAt: Date | null;
    readonly endsAt: Date;
    readonly scopes: readonly Scope[];
  } | null;
  readonly now: Date;
  /** The scope that the call takes; null for a call that no key may make. */
  readonly scope: Scope | null;
  /** The time in the request; null if the request lacks it or another part of the signature, or one is malformed. */
  readonly signedAtMs: number | null;
  /** True where the key lists no addresses. */
  readonly isFromAllowedAddress: boolean;
  readonly isSigned: () => boolean;
}

export type KeyUseRefusal =
  | 'api_key_unknown'
  | 'api_key_revoked'
  | 'api_key_ended'
  | 'api_key_scope'
  | 'api_key_address'
  | 'api_key_malformed'
  | 'api_key_time'
  | 'api_key_signature';

/**
 * Decides whether a request is its key's. The cheap checks come first, so that a flood costs no signatures. Whether the
 * nonce is new is decided afterwards, by the database: a forged request must not use up a nonce.
 */
export function decideKeyUse<Scope extends string>(use: KeyUse<Scope>): Decision<null, KeyUseRefusal> {
  const { key, now, scope, signedAtMs } = use;
  if (key === null) return refuse('api_key_unknown');
  if (key.revokedAt !== null) return refuse('api_key_revoked');
  if (now >= key.endsAt) return refuse('api_key_ended');
  if (scope === null || !key.scopes.includes(scope)) return refuse('api_key_scope');
  if (!use.isFromAllowedAddress) return refuse('api_key_address');
  if (signedAtMs === null || Number.isNaN(signedAtMs)) return refuse('api_key_malformed');
  if (Math.abs(now.getTime() - signedAtMs) > KEY_TIME_OFF_MAX_MS) return refuse('api_key_time');
  return use.isSigned() ? accept(null) : refuse('api_key_signature');
}
