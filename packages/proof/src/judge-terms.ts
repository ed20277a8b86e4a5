/**
 * Compares a receipt with what the customer's device recorded. The answer to a purchase contains the terms; the device
 * stores them, and a receipt must show the same. An attacker with the server's keys can sign other terms, but cannot
 * take back terms that were handed out.
 */
import { readOptionTerms, type SignedOptionTerms } from './option-terms.ts';

/** The fields in which terms may differ. `text`: one of the two texts is unreadable. */
const TERMS_MEMBERS = [
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
  'hold',
  'latest',
  'sale',
] as const;
export type TermsMember = (typeof TERMS_MEMBERS)[number];

/** Known values of an order's terms; null or absent where the reader has nothing to compare with. */
type KnownTerms = { readonly [Name in Exclude<TermsMember, 'text'>]?: string | null };

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
    hold: String(terms.hold ?? ''),
    latest: String(terms.latestMs ?? ''),
    sale: saleTextOf(terms.sale),
  };
}

/** One text for all terms of selling; empty without any. */
export function saleTextOf(sale: SignedOptionTerms['sale']): string {
  if (!sale) return '';
  const { volatilityBasisPoints, bandBasisPoints, spreadBasisPoints, closedMs } = sale;
  return [volatilityBasisPoints, bandBasisPoints, spreadBasisPoints, closedMs].join(' ');
}

/** Returns the fields in which the terms differ from what the reader knows of the order. Values are as in the terms. */
export function listDifferencesFromKnown(body: string, known: KnownTerms): TermsMember[] {
  const terms = readOptionTerms(body);
  if (terms === undefined) return ['text'];
  const said = membersOf(terms);
  return TERMS_MEMBERS.filter((name) => {
    if (name === 'text') return false;
    const wanted = known[name];
    return wanted !== undefined && wanted !== null && said[name] !== wanted;
  });
}

/** Returns the fields in which two texts of terms differ: the one handed out at the purchase, and a receipt's. */
export function listDifferencesFromKept(kept: string, shown: string): TermsMember[] {
  if (kept === shown) return [];
  const terms = readOptionTerms(kept);
  const found = terms === undefined ? [] : listDifferencesFromKnown(shown, membersOf(terms));
  // A different text with the same meaning (such as an older type) was not handed out either.
  return found.length > 0 ? found : ['text'];
}

/** The device's record of the time of a purchase, in ms by its estimate of the server's clock. */
export interface PurchaseMoment {
  /** Measured before the first attempt was sent. */
  readonly sentMs: number;
  /** Measured after the answer arrived. */
  readonly answeredMs: number;
  /** Time of the newest tick that the device had received before it sent the request. */
  readonly newestTickMs: number | null;
}

export type MomentFault =
  /** The signed arrival time is not between sending and answer. */
  | 'arrived_before_sent'
  | 'arrived_after_answer'
  /** The acceptance is earlier than one second after the sending, or later than one second after the answer. */
  | 'accepted_too_early'
  | 'accepted_too_late'
  /** The acceptance is later than the customer allowed. */
  | 'accepted_after_latest'
  /** The acceptance is earlier than one second after a price that was already on the screen. */
  | 'accepted_before_seen';

/** The device's estimate of the server's clock may be wrong by at most this. */
const MOMENT_TOLERANCE_MS = 500;
const ACCEPTANCE_DELAY_MS = 1_000;

/**
 * Checks that the times in signed terms match what the device recorded. This detects an acceptance that was moved by
 * seconds to a price that suits the house better.
 */
export function faultOfMoment(terms: SignedOptionTerms, moment: PurchaseMoment): MomentFault | null {
  const { sentMs, answeredMs, newestTickMs } = moment;
  const { acceptedMs, arrival, latestMs } = terms;
  if (typeof latestMs === 'number' && acceptedMs > latestMs) return 'accepted_after_latest';
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
 * The moment of a purchase for a device that does not know the server's clock, because it has received no time yet or
 * its own clock has changed since. It takes the signed arrival as correct, so only the time from the arrival to the
 * acceptance is checked, with the round trip as the tolerance.
 */
export function purchaseMomentByArrival(arrivedMs: number, roundTripMs: number): PurchaseMoment {
  return { sentMs: arrivedMs - roundTripMs, answeredMs: arrivedMs + roundTripMs, newestTickMs: null };
}

/**
 * Times by the device's clock. `offsetMs` is the server's clock minus the device's; null until the stream reports it.
 * `newestTickMs` is of the server's clock already.
 */
export interface PurchaseTimes {
  readonly sentMs: number;
  readonly answeredMs: number;
  readonly offsetMs: number | null;
  readonly newestTickMs: number | null;
}

/** The moment of a purchase; null if neither the server's clock nor the arrival is known. */
export function purchaseMomentOf(times: PurchaseTimes, arrivedMs: number | undefined): PurchaseMoment | null {
  const { sentMs, answeredMs, offsetMs, newestTickMs } = times;
  if (offsetMs !== null) return { sentMs: sentMs + offsetMs, answeredMs: answeredMs + offsetMs, newestTickMs };
  return arrivedMs === undefined ? null : { ...purchaseMomentByArrival(arrivedMs, answeredMs - sentMs), newestTickMs };
}
