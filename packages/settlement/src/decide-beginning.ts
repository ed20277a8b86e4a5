import { type CoinCover, type CoverRefusal, decideCover } from './decide-cover.ts';
import { accept, type Decision, type Refusing, refuse } from './decision.ts';

/** The conditions under which a customer cannot begin anything new. Existing orders continue. */
export interface BeginningRequest {
  /** The text of the platform's own pause; null for none. */
  readonly pause: string | null;
  /** The refusal while the customer takes a break or is self-excluded; otherwise null. */
  readonly ownBreak: Refusing<'self_excluded' | 'time_out'> | null;
  /** The reserve of the coin that would be bought; null if none would be. */
  readonly cover: CoinCover | null;
  /** The product to whose risks the customer has not consented; null if none is missing. */
  readonly unconsented: string | null;
}
type BeginningRefusal = 'paused' | 'self_excluded' | 'time_out' | CoverRefusal | 'consent_required';

/** Checks in the order written here. */
export function decideBeginning({
  pause,
  ownBreak,
  cover,
  unconsented,
}: BeginningRequest): Decision<null, BeginningRefusal> {
  if (pause !== null) return refuse('paused', { params: { text: pause } });
  if (ownBreak !== null) return ownBreak;
  const covered = cover === null ? accept(null) : decideCover('buy', cover);
  if (!covered.ok) return covered;
  return unconsented === null ? accept(null) : refuse('consent_required', { params: { product: unconsented } });
}
