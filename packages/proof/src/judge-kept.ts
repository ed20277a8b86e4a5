/**
 * Judges what a device kept, by itself and against what the platform shows now. A difference between two texts that the
 * platform signed is a contradiction, which proves itself; other differences rest on the word of the file's holder.
 */
import { readAcknowledgement, thingOf, verifyAcknowledgement } from './acknowledgement.ts';
import { readBoxTerms, readReservation } from './box-draw.ts';
import {
  type AnySignedText,
  type Contradiction,
  findContradictions,
  type ReadersKeys,
  verifyContradiction,
} from './contradiction.ts';
import { faultOfMoment, listDifferencesFromKept, purchaseMomentOf } from './judge-terms.ts';
import { type KeptFile, type KeptPurchaseInFile, purchaseTimesOf } from './kept-file.ts';
import { readLiabilities } from './liabilities.ts';
import { type OptionReceipt, verifyOptionReceipt } from './option-receipt.ts';
import { readOptionTerms } from './option-terms.ts';
import { isKeyInTime, type ProofKey } from './proof-keys.ts';
import { findTickUnlikeSeen, ticksShownBy } from './seen-chain.ts';
import { bytesToSign, hashOfBody, keyIdOf, type SignedText, verifySignedText } from './signature.ts';
import { readStatementHead } from './statement-head.ts';
import { verifyTreeSignedText } from './terms-tree.ts';
import { readTick } from './tick.ts';
import type { DrawReceipt } from './verify-draw.ts';

export type KeptFindingKind =
  /** The file pins a key that the reader does not trust. */
  | 'key_unknown'
  /** A kept text is not signed by a trusted key in its time, or is not what its place says. */
  | 'not_signed'
  /** The rules that the terms name are not those that the device had read. */
  | 'rules_differ'
  /** The signed times contradict the device's clock. */
  | 'moment'
  /** A receipt shows other terms than were kept. */
  | 'terms_differ'
  /** A signed tick is not the one that was streamed under its number. */
  | 'tick_differs'
  /** A kept receipt is not verified. */
  | 'receipt_wrong'
  /** A draw differs from what was kept of it. */
  | 'draw_differs'
  /** A contradiction in the file does not prove itself, or is not one of the trusted keys. */
  | 'contradiction_wrong';

export interface KeptFinding {
  readonly kind: KeptFindingKind;
  /** The order, coin and number, box, draw or key. */
  readonly about: string;
  /** Names of what differs, or codes of faults. */
  readonly says: readonly string[];
}

export interface KeptJudgement {
  /** True if nothing in the file contradicts anything. */
  readonly ok: boolean;
  readonly findings: readonly KeptFinding[];
  readonly contradictions: readonly Contradiction[];
  /** Types of texts that this version does not read, with their counts. */
  readonly unread: readonly { readonly type: string; readonly count: number }[];
}

/** What the platform shows now, beside the file. */
export interface ShownBesideKept {
  readonly receipt?: OptionReceipt;
  readonly draw?: Pick<DrawReceipt, 'box' | 'reservation' | 'client_seed'>;
  /** The box of a whole box's public file. */
  readonly box?: SignedText;
  /** Signed ticks of the public chain. */
  readonly publicTicks?: readonly SignedText[];
}

/** Never throws on a file's content; `isKeptFile` must have checked the shape. */
export async function judgeKeptFile(
  file: KeptFile,
  keys: ReadersKeys,
  shown: ShownBesideKept = {},
): Promise<KeptJudgement> {
  const findings: KeptFinding[] = [];
  const add = (kind: KeptFindingKind, about: string, says: readonly string[]): void =>
    void findings.push({ kind, about, says });

  for (const { use, id, public_key } of file.keys)
    if (!keys.trusted.some((key) => key.use === use && key.public_key === public_key))
      add('key_unknown', `${use} ${id}`, []);

  for (const purchase of file.purchases) await judgePurchaseInFile(purchase, keys.trusted, add);
  for (const receipt of file.receipts) await judgeKeptReceipt(receipt, keys.trusted, add);
  await judgeKeptTexts(file, keys.trusted, add);
  compareTerms(file, shown, add);
  compareTicks(file, shown, add);
  const box = shown.draw?.box ?? shown.box;
  if (box !== undefined) compareBox(file, box, add);
  if (shown.draw !== undefined) compareDraw(file, shown.draw, add);

  const contradictions = await findContradictions(
    [
      ...file.purchases.map(({ terms }) => terms),
      ...file.boxes.flatMap(({ text }) => text ?? []),
      ...file.draws.flatMap(({ text }) => text ?? []),
      ...file.ticks.flatMap(({ texts }) => texts),
      ...(file.statements ?? []).filter(isStatement),
      ...(file.promises ?? []).filter(isAcknowledgement),
      ...[...file.receipts, ...(shown.receipt ? [shown.receipt] : [])].flatMap(textsOfReceipt),
      ...(box ? [box] : []),
      ...(shown.draw ? [shown.draw.reservation] : []),
      ...(shown.publicTicks ?? []),
      ...file.contradictions.flatMap(({ first, second }) => [first, second]),
    ],
    keys,
  );
  for (const given of file.contradictions) {
    const fault = await verifyContradiction(given);
    const isFound = contradictions.some(({ kind, about }) => kind === given.kind && about === given.about);
    if (fault !== null || !isFound) add('contradiction_wrong', given.about, [fault ?? 'keys_unknown']);
  }
  return {
    ok: findings.length === 0 && contradictions.length === 0,
    findings,
    contradictions,
    unread: countTypes(file),
  };
}

type Add = (kind: KeptFindingKind, about: string, says: readonly string[]) => void;

const textsOfReceipt = (receipt: OptionReceipt) => [receipt.terms, ...ticksShownBy(receipt)];

const keyOf = (use: ProofKey['use'], id: string, keys: readonly ProofKey[]): ProofKey | undefined =>
  keys.find((key) => key.use === use && key.id === id && keyIdOf(key.public_key) === id);

async function judgePurchaseInFile(
  { terms, rules, times }: KeptPurchaseInFile,
  keys: readonly ProofKey[],
  add: Add,
): Promise<void> {
  const read = readOptionTerms(terms.body);
  if (read === undefined) return add('not_signed', '', ['terms_malformed']);
  const key = keyOf('receipt', terms.tree.key, keys);
  const fault =
    key === undefined
      ? 'key_unknown'
      : ((await verifyTreeSignedText(terms, key.public_key)) ??
        (isKeyInTime(key, read.acceptedMs) ? null : 'key_out_of_time'));
  if (fault !== null) add('not_signed', read.order, [fault]);
  if (rules !== null && rules !== read.rules) add('rules_differ', read.order, []);
  const moment = times && purchaseMomentOf(purchaseTimesOf(times), read.arrival?.atMs);
  const odd = moment && faultOfMoment(read, moment);
  if (odd) add('moment', read.order, [odd]);
}

async function judgeKeptReceipt(receipt: OptionReceipt, keys: readonly ProofKey[], add: Add): Promise<void> {
  // The device verified it when it knew the chain up to the end, so a tick after the end may still be missing.
  const endMs = receipt.ticks.end === null ? undefined : readTick(receipt.ticks.end.body)?.at;
  const known = receipt.ticks.after_end === null && endMs !== undefined ? { newestTickMs: endMs } : {};
  const { checks } = await verifyOptionReceipt(receipt, keys, known);
  const faults = checks.flatMap(({ fault }) => fault ?? []);
  if (faults.length > 0) add('receipt_wrong', readOptionTerms(receipt.terms.body)?.order ?? '', [...new Set(faults)]);
}

/** Each text that was kept alone must be signed, and be about what its place says. */
async function judgeKeptTexts(file: KeptFile, keys: readonly ProofKey[], add: Add): Promise<void> {
  const isSigned = async (text: SignedText, use: ProofKey['use'], atMs: number | undefined): Promise<boolean> => {
    const key = keyOf(use, text.key, keys);
    return (
      key !== undefined &&
      atMs !== undefined &&
      isKeyInTime(key, atMs) &&
      (await verifySignedText(text, key.public_key)) === null
    );
  };
  for (const { coin, texts } of file.ticks)
    for (const text of texts) {
      const tick = readTick(text.body);
      if (tick?.coin !== coin || !(await isSigned(text, 'index', tick.at)))
        add('not_signed', `${coin} ${tick?.sequence ?? ''}`, ['tick']);
    }
  for (const { id, text } of file.boxes) {
    if (text === null) continue;
    const box = readBoxTerms(text.body);
    if (box?.id !== id || !(await isSigned(text, 'receipt', box.opensMs))) add('not_signed', id, ['box']);
  }
  for (const text of (file.statements ?? []).filter(isStatement)) {
    const [head, owed] = [readStatementHead(text.body), readLiabilities(text.body)];
    const about = head?.account ?? `liabilities ${owed?.sequence}`;
    if (!(await isSigned(text, 'receipt', head?.atMs ?? owed?.atMs))) add('not_signed', about, ['statement']);
  }
  for (const text of (file.promises ?? []).filter(isAcknowledgement)) {
    const verified = await verifyAcknowledgement(text, keys);
    const read = readAcknowledgement(text.body);
    if (!verified.ok) add('not_signed', read ? thingOf(read) : '', [verified.fault]);
  }
  for (const { order, reservation, text } of file.draws) {
    const read = readReservation(reservation);
    if (read?.order !== order || (text !== null && !(await isSigned(text, 'receipt', read.reservedMs))))
      add('not_signed', order, ['draw']);
  }
}

/** Compares each receipt with the terms that were kept of its order. */
function compareTerms(file: KeptFile, { receipt }: ShownBesideKept, add: Add): void {
  const orderOf = (body: string): string | undefined => readOptionTerms(body)?.order;
  const keptOf = Map.groupBy(file.purchases, ({ terms }) => orderOf(terms.body));
  for (const { terms } of [...file.receipts, ...(receipt ? [receipt] : [])]) {
    const order = orderOf(terms.body);
    if (order === undefined) continue;
    for (const kept of keptOf.get(order) ?? []) {
      const differs = listDifferencesFromKept(kept.terms.body, terms.body);
      if (differs.length > 0) add('terms_differ', order, differs);
    }
  }
}

/** Compares all signed ticks with the hashes that were streamed. */
function compareTicks(file: KeptFile, { receipt, publicTicks = [] }: ShownBesideKept, add: Add): void {
  for (const { coin, seen, texts } of file.ticks) {
    const remembered = seen.map(([sequence, hash]) => ({ sequence: BigInt(sequence), hash }));
    const ofCoin = (text: SignedText): boolean => readTick(text.body)?.coin === coin;
    for (const shown of [...file.receipts, ...(receipt ? [receipt] : [])]) {
      const sequence = ticksShownBy(shown).every(ofCoin) ? findTickUnlikeSeen(shown, remembered) : null;
      if (sequence !== null) add('tick_differs', `${coin} ${sequence}`, []);
    }
    const hashes = new Map(seen);
    for (const text of [...texts, ...publicTicks]) {
      if (!ofCoin(text)) continue;
      const sequence = String(readTick(text.body)?.sequence);
      const hash = hashes.get(sequence);
      if (hash !== undefined && bytesToSign(text.body) !== undefined && hash !== hashOfBody(text.body))
        add('tick_differs', `${coin} ${sequence}`, []);
    }
  }
}

function compareBox(file: KeptFile, shown: SignedText, add: Add): void {
  const box = readBoxTerms(shown.body);
  const kept = file.boxes.find(({ id }) => id === box?.id);
  if (box !== undefined && kept !== undefined && kept.hash !== hashOfBody(shown.body))
    add('draw_differs', box.id, ['box']);
}

function compareDraw(file: KeptFile, draw: NonNullable<ShownBesideKept['draw']>, add: Add): void {
  const order = readReservation(draw.reservation.body)?.order;
  const kept = file.draws.find((one) => one.order === order);
  if (kept === undefined) return;
  if (kept.reservation !== draw.reservation.body) add('draw_differs', kept.order, ['reservation']);
  if (kept.client_seed !== draw.client_seed) add('draw_differs', kept.order, ['client_seed']);
}

/** The heads of a customer's accounts, or what is owed to all customers, signed alone. */
const isStatement = (text: AnySignedText): text is SignedText =>
  !('tree' in text) && (readStatementHead(text.body) ?? readLiabilities(text.body)) !== undefined;

const isAcknowledgement = ({ body }: AnySignedText): boolean => readAcknowledgement(body) !== undefined;

/** The types in the two lists that are open to other versions. */
function countTypes({ promises = [], statements = [] }: KeptFile): KeptJudgement['unread'] {
  const counts = new Map<string, number>();
  const unread = [
    ...promises.filter((text) => !isAcknowledgement(text)),
    ...statements.filter((text) => !isStatement(text)),
  ];
  for (const { body } of unread) {
    const bytes = bytesToSign(body);
    const type = bytes === undefined ? '?' : new TextDecoder().decode(bytes).split('\n')[0];
    counts.set(type ?? '?', (counts.get(type ?? '?') ?? 0) + 1);
  }
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([type, count]) => ({ type, count }));
}
