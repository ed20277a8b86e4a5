/**
 * Checks everything about one option that its receipt alone can show.
 *
 * It proves that the terms were signed as they are, that the start and end prices are the ticks that the rules name,
 * that those prices follow from their sources, and that the outcome and the money follow from all that. It does not
 * prove that the sources quoted truthfully: their raw prices and times are in the ticks, for comparison with the
 * venues.
 *
 * This file computes the outcome independently of the settlement engine on purpose, so that a fault in that engine
 * cannot hide itself.
 */
import { UNIT_OF_ACCOUNT } from '@sathorn/money';
import { isIndexRule } from './index-price.ts';
import { priceOfSale } from './option-sale.ts';
import { accountSeal, isSealOpening, readOptionTerms, type SignedOptionTerms } from './option-terms.ts';
import { faultOfPromise, type PromiseFault, type PromiseProof } from './promise-chain.ts';
import { isKeyInTime, type KeyUse, type ProofKey } from './proof-keys.ts';
import { keyIdOf, type SignatureFault, type SignedText, verifySignedText } from './signature.ts';
import { type TreeFault, type TreeSignedText, verifyTreeSignedText } from './terms-tree.ts';
import {
  faultOfLink,
  faultOfPrice,
  indexStepOf,
  NO_TICK_HASH,
  readTick,
  TICK_MS,
  type Tick,
  type TickFault,
} from './tick.ts';

/** Amounts count the asset's smallest unit, as decimal strings; the loss of a stake has a minus sign. */
export interface OptionReceipt {
  readonly v: 'receipt/1';
  readonly terms: TreeSignedText;
  /** Opens the commitment to the account in the terms. */
  readonly account: { readonly salt: string; readonly customer: string };
  readonly ticks: {
    readonly before_start: SignedText | null;
    readonly start: SignedText | null;
    /** Of a sold option the tick of which its price was made. */
    readonly end: SignedText | null;
    readonly after_end: SignedText | null;
  };
  readonly result: {
    readonly status: 'holding' | 'won' | 'lost' | 'tie' | 'void' | 'sold';
    readonly reason: string | null;
    readonly profit: string;
    readonly fee: string;
    readonly credited: string;
  };
  /**
   * The transfers of the purchase and of the settlement, in posting order. Of a lost order that its customer had void,
   * the transfer that returned the stake follows.
   */
  readonly transfers: readonly ReceiptTransfer[];
  /**
   * How the terms are in the chain of promises, and the tick that names it. Present with terms of `opt/4`; null while
   * no tick has named them.
   */
  readonly promise?: (PromiseProof & { readonly tick: SignedText }) | null | undefined;
}

interface ReceiptTransfer {
  readonly seq: string;
  readonly kind: 'hold' | 'post' | 'void' | 'single';
  readonly from: string;
  readonly to: string;
  readonly asset: string;
  readonly amount: string;
  readonly resolves: string | null;
}

export interface KnownOrder {
  /** SHA-256 of the rules text that the reader has seen. */
  readonly rulesHash?: string;
  /**
   * Time of the newest tick of this coin that the reader has seen, in ms since 1970. No tick up to it may be missing.
   */
  readonly newestTickMs?: number;
}

export const RECEIPT_CHECKS = [
  'terms_signed',
  'terms_in_force',
  'terms_before_prices',
  'ticks_signed',
  'start_is_first',
  'end_is_last',
  'sold_in_time',
  'prices_follow',
  'outcome_follows',
  'transfers_match',
] as const;
export type ReceiptCheckName = (typeof RECEIPT_CHECKS)[number];

export type ReceiptFault =
  | TreeFault
  | SignatureFault
  | TickFault
  | PromiseFault
  | 'promise_missing'
  | 'promise_unexpected'
  | 'promise_late'
  | 'receipt_malformed'
  | 'terms_malformed'
  | 'key_unknown'
  | 'key_out_of_time'
  | 'rules_differ'
  | 'accepted_after_latest'
  | 'account_differs'
  | 'coin_differs'
  | 'environment_differs'
  | 'start_missing'
  | 'start_not_after_acceptance'
  | 'before_start_missing'
  | 'before_start_after_acceptance'
  | 'end_missing'
  | 'end_after_expiry'
  | 'end_before_start'
  | 'end_unexpected'
  | 'after_end_missing'
  | 'after_end_before_expiry'
  | 'sale_not_in_terms'
  | 'sale_too_late'
  | 'not_settled'
  | 'status_differs'
  | 'reason_differs'
  | 'profit_differs'
  | 'fee_differs'
  | 'credited_differs'
  | 'transfer_missing'
  | 'transfer_unexpected'
  | 'transfer_differs'
  | 'hold_differs'
  | 'sequence_differs';

export interface ReceiptCheck {
  readonly name: ReceiptCheckName;
  readonly ok: boolean;
  readonly fault: ReceiptFault | null;
  /** The check passed, but no tick published since could have shown a fault yet: check again once the index runs. */
  readonly isPending: boolean;
}

export interface ReceiptVerdict {
  readonly verified: boolean;
  /**
   * All of `RECEIPT_CHECKS`, in their order; `terms_before_prices` only since terms of `opt/4`, `sold_in_time` in place
   * of `end_is_last` for a sold option.
   */
  readonly checks: readonly ReceiptCheck[];
}

interface Evidence {
  readonly terms: SignedOptionTerms;
  readonly before: Tick | null;
  readonly start: Tick | null;
  readonly end: Tick | null;
  readonly after: Tick | null;
}
type Found = ReceiptFault | 'pending' | null;

const GAP_MAX_MS = 3_000;
/**
 * A tick names the terms within this time of their acceptance. The database takes an order until two seconds after its
 * acceptance, and the next tick names it.
 */
const PROMISED_WITHIN_MS = 4_000;
const PARTS = 10_000n;
/** A customer may have an order void that it lost to a start or end tick which was published later than this. */
const LATE_VOID_OVER_MS = 5_000;

/** Never throws on a receipt's content; `isOptionReceipt` must have checked the shape. */
export async function verifyOptionReceipt(
  receipt: OptionReceipt,
  keys: readonly ProofKey[],
  known: KnownOrder = {},
): Promise<ReceiptVerdict> {
  const terms = readOptionTerms(receipt.terms.body);
  const ticks = readTicks(receipt);
  const found: Record<ReceiptCheckName, Found> = {
    terms_signed: await faultOfTermsSignature(receipt, terms, keys),
    terms_in_force: terms ? faultOfTerms(receipt, terms, known) : 'terms_malformed',
    terms_before_prices: 'terms_malformed',
    ticks_signed: await faultOfTickSignatures(receipt, keys),
    start_is_first: 'terms_malformed',
    end_is_last: 'terms_malformed',
    sold_in_time: 'terms_malformed',
    prices_follow: 'terms_malformed',
    outcome_follows: 'terms_malformed',
    transfers_match: 'terms_malformed',
  };
  if (terms && ticks) {
    const evidence = { terms, ...ticks };
    found.terms_before_prices = faultOfPromised(receipt, terms);
    found.start_is_first = faultOfStart(receipt, evidence, known);
    found.end_is_last = faultOfEnd(receipt, evidence, known);
    found.sold_in_time = faultOfSale(receipt, evidence);
    found.prices_follow = faultOfPrices(evidence);
    found.outcome_follows = faultOfOutcome(receipt, evidence);
    found.transfers_match = faultOfTransfers(receipt, evidence);
  } else if (terms) {
    for (const name of RECEIPT_CHECKS.slice(RECEIPT_CHECKS.indexOf('start_is_first'))) found[name] = 'tick_malformed';
    found.terms_before_prices = 'tick_malformed';
  }
  const isOlder = terms !== undefined && terms.latestMs === undefined && receipt.promise === undefined;
  const left = receipt.result.status === 'sold' ? 'end_is_last' : 'sold_in_time';
  const names = RECEIPT_CHECKS.filter((name) => name !== left && (!isOlder || name !== 'terms_before_prices'));
  const checks = names.map((name): ReceiptCheck => {
    const fault = found[name];
    if (fault === 'pending') return { name, ok: true, fault: null, isPending: true };
    return { name, ok: fault === null, fault, isPending: false };
  });
  return { verified: checks.every(({ ok }) => ok), checks };
}

/** The published key that a text names. The id alone proves nothing, so it must match that key. */
function keyFor(use: KeyUse, text: SignedText, keys: readonly ProofKey[]): ProofKey | undefined {
  return keys.find((key) => key.use === use && key.id === text.key && keyIdOf(key.public_key) === key.id);
}

async function faultOfTermsSignature(
  receipt: OptionReceipt,
  terms: SignedOptionTerms | undefined,
  keys: readonly ProofKey[],
): Promise<Found> {
  if (receipt.v !== 'receipt/1') return 'receipt_malformed';
  const key = keyFor('receipt', receipt.terms.tree, keys);
  if (key === undefined) return 'key_unknown';
  const fault = await verifyTreeSignedText(receipt.terms, key.public_key);
  if (fault !== null || terms === undefined) return fault;
  return isKeyInTime(key, terms.acceptedMs) ? null : 'key_out_of_time';
}

function faultOfTerms({ account }: OptionReceipt, terms: SignedOptionTerms, { rulesHash }: KnownOrder): Found {
  if (rulesHash !== undefined && terms.rules !== rulesHash) return 'rules_differ';
  if (typeof terms.latestMs === 'number' && terms.acceptedMs > terms.latestMs) return 'accepted_after_latest';
  const isOpened = isSealOpening(account) && accountSeal(account.salt, account.customer) === terms.account;
  return isOpened ? null : 'account_differs';
}

async function faultOfTickSignatures({ ticks, promise }: OptionReceipt, keys: readonly ProofKey[]): Promise<Found> {
  for (const text of [...Object.values(ticks), promise?.tick ?? null]) {
    if (text === null) continue;
    const key = keyFor('index', text, keys);
    const fault = key === undefined ? 'key_unknown' : await verifySignedText(text, key.public_key);
    if (fault !== null) return fault;
    const at = readTick(text.body)?.at;
    // Somebody who stole a replaced key can still sign with it, but not for times after the replacement.
    if (key !== undefined && at !== undefined && !isKeyInTime(key, at)) return 'key_out_of_time';
  }
  return null;
}

/** A tick soon after the acceptance names the terms, so nobody who knew a later price wrote them. */
function faultOfPromised({ terms: { tree }, ticks, result, promise }: OptionReceipt, terms: SignedOptionTerms): Found {
  if (terms.latestMs === undefined) return promise === undefined ? null : 'promise_unexpected';
  if (promise === undefined) return 'promise_missing';
  // A void order gave its stake back, whatever its terms say.
  if (promise === null) return result.status === 'void' ? null : 'promise_missing';
  const tick = readTick(promise.tick.body);
  if (tick === undefined) return 'tick_malformed';
  if (tick.coin !== terms.coin) return 'coin_differs';
  if (tick.environment !== terms.environment) return 'environment_differs';
  const fault = faultOfPrice(tick) ?? faultOfPromise(tree.hash, promise, tick.promises ?? '');
  if (fault !== null) return fault;
  const others = Object.values(ticks).filter(
    (text) => text !== null && readTick(text.body)?.sequence === tick.sequence,
  );
  if (others.some((text) => text?.hash !== promise.tick.hash)) return 'previous_differs';
  return result.status !== 'void' && tick.at - terms.acceptedMs > PROMISED_WITHIN_MS ? 'promise_late' : null;
}

function readTicks({ ticks }: OptionReceipt): Omit<Evidence, 'terms'> | undefined {
  const read = (text: SignedText | null): Tick | null | undefined => (text === null ? null : readTick(text.body));
  const [before, start, end, after] = [
    read(ticks.before_start),
    read(ticks.start),
    read(ticks.end),
    read(ticks.after_end),
  ];
  if (before === undefined || start === undefined || end === undefined || after === undefined) return undefined;
  return { before, start, end, after };
}

/** The start tick directly follows one that existed at the acceptance, so no tick between the two was left out. */
function faultOfStart({ ticks, result }: OptionReceipt, { terms, before, start }: Evidence, known: KnownOrder): Found {
  if (before !== null && before.at > terms.acceptedMs) return 'before_start_after_acceptance';
  if (start === null)
    return result.reason === 'no_start_tick'
      ? pendingUnless(known, terms.acceptedMs, 'start_missing')
      : 'start_missing';
  if (start.at <= terms.acceptedMs) return 'start_not_after_acceptance';
  if (before === null) return start.sequence === 1n && start.previous === NO_TICK_HASH ? null : 'before_start_missing';
  return faultOfLink(start, before, ticks.before_start?.hash ?? '');
}

/** The end tick directly precedes one that came too late. An order that is void for lack of a start tick has no end. */
function faultOfEnd({ ticks, result }: OptionReceipt, evidence: Evidence, known: KnownOrder): Found {
  const { terms, start, end, after } = evidence;
  const expiryMs = terms.acceptedMs + terms.durationMs;
  if (result.reason === 'no_start_tick' && (end !== null || after !== null)) return 'end_unexpected';
  if (end === null) {
    return result.reason === 'no_start_tick' ? null : 'end_missing';
  }
  if (end.at > expiryMs) return 'end_after_expiry';
  if (start === null || end.sequence < start.sequence) return 'end_before_start';
  const fault = faultBetween(start, end, ticks);
  if (fault !== null) return fault;
  if (after === null) {
    // Ticks are at whole seconds, so no tick fits between this one and the expiry.
    if (end.at + TICK_MS > expiryMs) return null;
    // The index may have stopped here, but a server that withholds a tick could claim the same. So for an order that
    // moved money the reader must know the chain at least as far as the end. A newer tick that the reader knows,
    // whether before or after the expiry, must be in the receipt.
    if (result.status !== 'void' && (known.newestTickMs ?? -1) < end.at) return 'after_end_missing';
    return pendingUnless(known, end.at, 'after_end_missing');
  }
  if (after.at <= expiryMs) return 'after_end_before_expiry';
  return faultOfLink(after, end, ticks.end?.hash ?? '');
}

/**
 * The tick of a sale is one between the start and the closed time before the end. Which of them it was, the customer's
 * device has signed.
 */
function faultOfSale({ ticks }: OptionReceipt, { terms, start, end, after }: Evidence): Found {
  if (!terms.sale) return 'sale_not_in_terms';
  if (end === null) return 'end_missing';
  if (after !== null) return 'end_unexpected';
  if (end.at > terms.acceptedMs + terms.durationMs - terms.sale.closedMs) return 'sale_too_late';
  if (start === null || end.sequence < start.sequence) return 'end_before_start';
  return faultBetween(start, end, ticks);
}

/**
 * The receipt does not contain all ticks between start and end, but those that it contains must fit into one chain.
 * Otherwise a signer with a second chain could take the start from one and the end from the other.
 */
function faultBetween(start: Tick, end: Tick, ticks: OptionReceipt['ticks']): Found {
  if (end.sequence === start.sequence) return ticks.end?.hash === ticks.start?.hash ? null : 'previous_differs';
  if (end.sequence === start.sequence + 1n) return faultOfLink(end, start, ticks.start?.hash ?? '');
  // At most one tick per second.
  const seconds = Math.floor((end.at - start.at) / TICK_MS);
  return end.sequence - start.sequence > BigInt(seconds) ? 'sequence_gap' : null;
}

/**
 * A missing tick is pending while it may not exist yet. Once the reader knows a later tick, a missing one is a fault of
 * the receipt.
 */
function pendingUnless({ newestTickMs }: KnownOrder, afterMs: number, fault: ReceiptFault): Found {
  return newestTickMs !== undefined && newestTickMs > afterMs ? fault : 'pending';
}

function faultOfPrices({ terms, before, start, end, after }: Evidence): Found {
  for (const tick of [before, start, end, after]) {
    if (tick === null) continue;
    if (tick.coin !== terms.coin) return 'coin_differs';
    if (tick.environment !== terms.environment) return 'environment_differs';
    const fault = faultOfPrice(tick);
    if (fault !== null) return fault;
  }
  return null;
}

interface Outcome {
  readonly status: 'won' | 'lost' | 'tie' | 'void' | 'sold';
  readonly reason: 'no_start_tick' | 'no_end_tick' | null;
  readonly profit: bigint;
  readonly fee: bigint;
  readonly credited: bigint;
}

function outcomeOf({ terms, start, end }: Evidence, isSold: boolean): Outcome {
  const { stake } = terms;
  const expiryMs = terms.acceptedMs + terms.durationMs;
  const givenBack = { profit: 0n, fee: 0n, credited: stake };
  if (start === null || start.at - terms.acceptedMs > GAP_MAX_MS)
    return { status: 'void', reason: 'no_start_tick', ...givenBack };
  if (isSold) {
    const credited = end && bidOf(terms, start, end);
    return { status: 'sold', reason: null, profit: (credited ?? 0n) - stake, fee: 0n, credited: credited ?? 0n };
  }
  if (end === null || expiryMs - end.at > GAP_MAX_MS) return { status: 'void', reason: 'no_end_tick', ...givenBack };
  if (end.price === start.price) return { status: 'tie', reason: null, ...givenBack };
  const isWin = terms.direction === 'up' ? end.price > start.price : end.price < start.price;
  if (!isWin) return { status: 'lost', reason: null, profit: -stake, fee: 0n, credited: 0n };
  const { profit, fee } = winOf(terms);
  return { status: 'won', reason: null, profit, fee, credited: stake + profit - fee };
}

/** The price at which the option could be sold at a tick; null if it could not. */
function bidOf(terms: SignedOptionTerms, start: Tick, tick: Tick): bigint | null {
  const leftMs = terms.acceptedMs + terms.durationMs - tick.at;
  if (!terms.sale || leftMs <= 0 || !isIndexRule(tick.rule)) return null;
  const { profit, fee } = winOf(terms);
  return priceOfSale({
    sale: terms.sale,
    isUp: terms.direction === 'up',
    stake: terms.stake,
    gain: profit - fee,
    startPrice: start.price,
    price: tick.price,
    step: indexStepOf(terms.coin, tick.rule),
    leftMs,
  });
}

/** The profit is rounded down, its fee up. */
function winOf({ stake, payoutBasisPoints, feeBasisPoints }: SignedOptionTerms): { profit: bigint; fee: bigint } {
  const profit = (stake * payoutBasisPoints) / PARTS;
  return { profit, fee: (profit * feeBasisPoints + PARTS - 1n) / PARTS };
}

function faultOfOutcome({ result }: OptionReceipt, evidence: Evidence): Found {
  if (result.status === 'holding') return 'not_settled';
  const outcome = outcomeOf(evidence, result.status === 'sold');
  // Without a price there is no sale, not one for nothing.
  if (outcome.status === 'sold' && outcome.credited === 0n) return 'credited_differs';
  if (result.status !== outcome.status) return 'status_differs';
  if (result.reason !== outcome.reason) return 'reason_differs';
  if (result.profit !== String(outcome.profit)) return 'profit_differs';
  if (result.fee !== String(outcome.fee)) return 'fee_differs';
  return result.credited === String(outcome.credited) ? null : 'credited_differs';
}

const SPOT = 'customer:spot';
const POOL = 'house:options_pool';
const FEES = 'house:fee_income';

type Expected = Omit<ReceiptTransfer, 'seq' | 'asset' | 'amount'> & { readonly amount: bigint };

/**
 * A purchase makes two holds; the settlement or the sale resolves each, and a win pays its fee. Both journals are
 * numbered without gaps, the second after the purchase. A customer who lost to a very late price may have got the stake
 * back later.
 */
function faultOfTransfers({ transfers, result }: OptionReceipt, evidence: Evidence): Found {
  const { terms } = evidence;
  const { status, fee, credited } = outcomeOf(evidence, result.status === 'sold');
  const promised = winOf(terms).profit;
  const [stakeHold, profitHold] = transfers;
  if (stakeHold === undefined || profitHold === undefined) return 'transfer_missing';
  const stake = { from: SPOT, to: POOL, amount: terms.stake };
  const profit = { from: POOL, to: SPOT, amount: promised };

  const expected: Expected[] = [
    { kind: 'hold', resolves: null, ...stake },
    { kind: 'hold', resolves: null, ...profit },
  ];
  if (result.status !== 'holding') {
    // A sale takes the missing part of the stake, or pays the part of the profit that its price has.
    const [taken, paid] = {
      won: [0n, promised],
      lost: [terms.stake, 0n],
      sold: [terms.stake - credited, credited - terms.stake],
      tie: [0n, 0n],
      void: [0n, 0n],
    }[status] as [bigint, bigint];
    const ended = (part: bigint) =>
      part > 0n ? ({ kind: 'post', amount: part } as const) : ({ kind: 'void' } as const);
    expected.push({ resolves: stakeHold.seq, ...stake, ...ended(taken) });
    expected.push({ resolves: profitHold.seq, ...profit, ...ended(paid) });
    if (status === 'won' && fee > 0n)
      expected.push({ kind: 'single', resolves: null, from: SPOT, to: FEES, amount: fee });
  }
  const settled = transfers.slice(2, expected.length);
  const returned = transfers[expected.length];
  if (returned !== undefined && result.status === 'lost' && status === 'lost' && isVeryLate(evidence))
    expected.push({ kind: 'single', resolves: null, from: POOL, to: SPOT, amount: terms.stake });
  if (transfers.length < expected.length) return 'transfer_missing';
  if (transfers.length > expected.length) return 'transfer_unexpected';
  const isSame = transfers.every((transfer, index) => {
    const wanted = expected[index];
    return (
      wanted !== undefined &&
      transfer.kind === wanted.kind &&
      transfer.from === wanted.from &&
      transfer.to === wanted.to &&
      transfer.asset === UNIT_OF_ACCOUNT &&
      transfer.amount === String(wanted.amount) &&
      transfer.resolves === wanted.resolves
    );
  });
  if (!isSame) return 'transfer_differs';
  // Transfers of another order with the same amounts would look the same. Terms before `opt/3` name no hold.
  if (terms.hold !== undefined && stakeHold.seq !== String(terms.hold)) return 'hold_differs';
  const isInOrder =
    isNumbered([stakeHold, profitHold]) &&
    isNumbered(settled) &&
    settled.every(({ seq }) => BigInt(seq) > BigInt(profitHold.seq)) &&
    (returned === undefined ||
      (isNumbered([returned]) && BigInt(returned.seq) > BigInt(settled.at(-1)?.seq ?? profitHold.seq)));
  return isInOrder ? null : 'sequence_differs';
}

const isVeryLate = ({ start, end }: Evidence): boolean =>
  Math.max(start?.lateMs ?? 0, end?.lateMs ?? 0) > LATE_VOID_OVER_MS;

function isNumbered(transfers: readonly ReceiptTransfer[]): boolean {
  return transfers.every(({ seq }, index) => {
    if (!/^[1-9][0-9]{0,17}$/.test(seq)) return false;
    const before = transfers[index - 1];
    return before === undefined || BigInt(seq) === BigInt(before.seq) + 1n;
  });
}

/** How late the ticks of start and end were published, in ms; 0 if on time. The publisher says it in the tick. */
export function latenessOf({ ticks }: Pick<OptionReceipt, 'ticks'>): { readonly start: number; readonly end: number } {
  const lateness = (text: SignedText | null): number => (text && readTick(text.body)?.lateMs) ?? 0;
  return { start: lateness(ticks.start), end: lateness(ticks.end) };
}

/** The amount that went back to a customer who had a lost order void, in the smallest unit; null without one. */
export function returnedOf({ result, transfers }: Pick<OptionReceipt, 'result' | 'transfers'>): string | null {
  const last = transfers.at(-1);
  return result.status === 'lost' && last?.kind === 'single' ? last.amount : null;
}
