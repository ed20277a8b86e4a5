import type { BoughtOption, buyOption, RequestOf } from '@sathorn/api';
import { parseDecimal } from '@sathorn/money';
import {
  faultOfMoment,
  listDifferencesFromKnown,
  type MomentFault,
  type ProofKey,
  type PurchaseTimes,
  purchaseMomentOf,
  readOptionTerms,
  type TermsMember,
  type TreeFault,
  verifyTreeSignedText,
} from '@sathorn/proof';

/** Contradictions that the device can find as soon as it has the answer to a purchase. */
export interface PurchaseFindings {
  /** True if the answer contained no signed terms. */
  readonly isWithoutTerms: boolean;
  readonly signature: TreeFault | 'key_unknown' | null;
  /** The fields in which the signed terms differ from the order. */
  readonly differs: readonly TermsMember[];
  readonly moment: MomentFault | null;
}

/** The order as the customer saw and sent it. */
export interface OrderedOption extends RequestOf<typeof buyOption> {
  readonly nonce: string;
  /** Shares as decimal strings, as the confirmation showed them. */
  readonly payout: string;
  readonly fee: string;
}

const basisPoints = (share: string): string | null => parseDecimal(share, 4)?.toString() ?? null;

/** Compares the answer to a purchase with the order and its time. */
export async function judgePurchase(
  bought: BoughtOption,
  ordered: OrderedOption,
  times: PurchaseTimes,
  /** Null if the keys could not be loaded; the receipt's own check then requests them. */
  keys: readonly ProofKey[] | null,
  rulesHash: string | null,
): Promise<PurchaseFindings> {
  const { terms } = bought;
  if (terms === undefined) return { isWithoutTerms: true, signature: null, differs: [], moment: null };
  const key = keys?.find(({ use, id }) => use === 'receipt' && id === terms.tree.key);
  const differs = listDifferencesFromKnown(terms.body, {
    order: bought.id,
    coin: ordered.code,
    direction: ordered.direction,
    stake: parseDecimal(ordered.quantity, 6)?.toString() ?? null,
    payout: basisPoints(ordered.payout),
    fee: basisPoints(ordered.fee),
    duration: String(Number(ordered.duration) * 1_000),
    acceptance: String(Date.parse(bought.start_time)),
    environment: bought.origin,
    nonce: ordered.nonce,
    latest: ordered.latest ?? '',
    rules: rulesHash,
  });
  const read = readOptionTerms(terms.body);
  const moment = purchaseMomentOf(times, read?.arrival?.atMs);
  return {
    isWithoutTerms: false,
    signature: await faultOfSignature(terms, key, keys !== null),
    differs,
    moment: read !== undefined && moment !== null ? faultOfMoment(read, moment) : null,
  };
}

async function faultOfSignature(
  terms: NonNullable<BoughtOption['terms']>,
  key: ProofKey | undefined,
  areKeysKnown: boolean,
): Promise<PurchaseFindings['signature']> {
  if (key !== undefined) return verifyTreeSignedText(terms, key.public_key);
  return areKeysKnown ? 'key_unknown' : null;
}

export function isCleanPurchase({ isWithoutTerms, signature, differs, moment }: PurchaseFindings): boolean {
  return !isWithoutTerms && signature === null && differs.length === 0 && moment === null;
}
