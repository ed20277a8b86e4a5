/**
 * What a customer who was there can tell: the terms that the answer to a purchase carried are kept on the device, and a
 * receipt must have the same. Whoever holds the server's keys can sign other terms, but not take back those that were
 * handed out.
 */
import { readOptionTerms, type SignedOptionTerms } from './option-terms.ts';

/** What of the terms is another. `text`: one of them can't be read at all. */
export const TERMS_MEMBERS = [
  'text',
  'order',
  'account',
  'coin',
  'direction',
  'stake',
  'payout',
  'fee',
  'acceptance',
  'duration',
  'rules',
  'environment',
  'arrival',
  'nonce',
] as const;
export type TermsMember = (typeof TERMS_MEMBERS)[number];

/** Null where the reader has nothing to compare with. */
export type KnownTerms = { readonly [Name in Exclude<TermsMember, 'text'>]?: string | null };

function membersOf(terms: SignedOptionTerms): Required<{ [Name in keyof KnownTerms]: string }> {
  return {
    order: terms.order,
    account: terms.account,
    coin: terms.coin,
    direction: terms.direction,
    stake: String(terms.stake),
    payout: String(terms.payoutBasisPoints),
    fee: String(terms.feeBasisPoints),
    acceptance: String(terms.acceptedMs),
    duration: String(terms.durationMs),
    rules: terms.rules,
    environment: terms.environment,
    arrival: String(terms.arrival?.atMs ?? ''),
    nonce: terms.arrival?.nonce ?? '',
  };
}

/** Where the terms differ from what the reader knows of the order; units and texts as in the terms themselves. */
export function differsFromKnown(body: string, known: KnownTerms): TermsMember[] {
  const terms = readOptionTerms(body);
  if (terms === undefined) return ['text'];
  const said = membersOf(terms);
  return TERMS_MEMBERS.filter((name) => {
    if (name === 'text') return false;
    const wanted = known[name];
    return wanted !== undefined && wanted !== null && said[name] !== wanted;
  });
}

/** Where two texts of terms differ: those that were handed out at the purchase, and those of a receipt. */
export function differsFromKept(kept: string, shown: string): TermsMember[] {
  if (kept === shown) return [];
  const terms = readOptionTerms(kept);
  const found = terms === undefined ? [] : differsFromKnown(shown, membersOf(terms));
  // Another text that says the same (an older type, say) is not what was handed out either.
  return found.length > 0 ? found : ['text'];
}

/** What the device knows of the moment of a purchase; all in ms by the server's clock as the device sees it. */
export interface PurchaseMoment {
  /** Before the first try was sent. */
  readonly sentMs: number;
  /** After the answer came. */
  readonly answeredMs: number;
  /** Of the newest tick that had been streamed before it was sent. */
  readonly newestTickMs: number | null;
}

export type MomentFault =
  /** The arrival that was signed is not between sending and answer. */
  | 'arrived_before_sent'
  | 'arrived_after_answer'
  /** The acceptance is not a second after a moment between sending and answer. */
  | 'accepted_too_early'
  | 'accepted_too_late'
  /** The acceptance is not a second after a price that was on the screen already. */
  | 'accepted_before_seen';

/** How far the device's idea of the server's clock may be wrong. */
export const MOMENT_TOLERANCE_MS = 500;
export const ACCEPTANCE_DELAY_MS = 1_000;

/**
 * Whether the moments in signed terms fit what the device lived through. An acceptance that is moved by seconds, to
 * where the price suits the house better, does not.
 */
export function faultOfMoment(terms: SignedOptionTerms, moment: PurchaseMoment): MomentFault | null {
  const { sentMs, answeredMs, newestTickMs } = moment;
  const { acceptedMs, arrival } = terms;
  if (newestTickMs !== null && acceptedMs < newestTickMs + ACCEPTANCE_DELAY_MS) return 'accepted_before_seen';
  if (arrival !== undefined) {
    if (arrival.atMs < sentMs - MOMENT_TOLERANCE_MS) return 'arrived_before_sent';
    if (arrival.atMs > answeredMs + MOMENT_TOLERANCE_MS) return 'arrived_after_answer';
    if (acceptedMs < arrival.atMs + ACCEPTANCE_DELAY_MS) return 'accepted_too_early';
  }
  if (acceptedMs < sentMs + ACCEPTANCE_DELAY_MS - MOMENT_TOLERANCE_MS) return 'accepted_too_early';
  return acceptedMs > answeredMs + ACCEPTANCE_DELAY_MS + MOMENT_TOLERANCE_MS ? 'accepted_too_late' : null;
}

/**
 * The same moment for a device whose idea of the server's clock is worthless (none yet, or set by hand since): the
 * clocks' difference is the one that the arrival itself implies, so only the time between arrival and acceptance is
 * judged, by the round trip.
 */
export function momentByArrival(arrivedMs: number, roundTripMs: number): PurchaseMoment {
  return { sentMs: arrivedMs - roundTripMs, answeredMs: arrivedMs + roundTripMs, newestTickMs: null };
}
