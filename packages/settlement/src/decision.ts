/** An expected yes or no. Refusals are values; only bugs and faults are thrown. */
export type Decision<Effect, Refusal extends string> = Accepted<Effect> | Refusing<Refusal>;

interface Accepted<Effect> {
  readonly ok: true;
  readonly effect: Effect;
}

export interface Refusing<Refusal extends string> {
  readonly ok: false;
  readonly refusal: Refusal;
  /** Values that appear in the refusal's message: limits, waits, dates. */
  readonly params?: Readonly<Record<string, string>>;
  /** The faulty field of the request, if any. */
  readonly field?: string;
  /** Other faulty fields that the same check found, each with its refusal. */
  readonly others?: Readonly<Record<string, Refusal>>;
}

export function accept<Effect>(effect: Effect): Accepted<Effect> {
  return { ok: true, effect };
}

export function refuse<const Refusal extends string>(
  refusal: Refusal,
  detail: { params?: Record<string, string>; field?: string; others?: Readonly<Record<string, Refusal>> } = {},
): Refusing<Refusal> {
  return { ok: false, refusal, ...detail };
}
