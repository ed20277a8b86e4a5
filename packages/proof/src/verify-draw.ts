import type { BeaconChain } from './beacon.ts';
import { BEACONS, firstRoundFrom, readBeacon, roundTimeMs } from './beacon.ts';
import {
  assetOfPrize,
  BEACON_ROUND_AHEAD_MS,
  type BoxTerms,
  CLIENT_SEED_WINDOW_MS,
  DRAW_RESOLVED_WITHIN_MS,
  type DrawReservation,
  drawCommitment,
  drawNumber,
  parseSeed,
  prizeOfNumber,
  readBoxTerms,
  readReservation,
  seedOfOrder,
  weightSumOf,
} from './box-draw.ts';
import { BOX_CHANCE_LOG10_MIN, boxChanceLog10 } from './box-odds.ts';
import { fromHex, toHex } from './hash.ts';
import { leafHash, rootFromPath, treeRoot } from './merkle-tree.ts';
import { isKeyInTime, type ProofKey } from './proof-keys.ts';
import { type SignedText, verifySignedText } from './signature.ts';

/** A draw as the server shows it, without the customer's name. */
export interface ShownDraw {
  /** The signed text `draw/1`. */
  readonly reservation: SignedText;
  /** The seed that the customer's app sent (hex); null if none came in time. */
  readonly client_seed: string | null;
  /** The round's signature (hex); null if the box has no beacon. */
  readonly beacon: string | null;
  /** s_i, hex. */
  readonly seed: string;
  readonly number: string;
  /** Row of the table, from 0. */
  readonly prize: string;
  /** ms since 1970, as text. */
  readonly resolved: string;
  /** The transfer that paid the prize; null if the server shows none. */
  readonly paid: { readonly asset: string; readonly units: string } | null;
}

/** One draw with everything needed to verify it. */
export interface DrawReceipt extends ShownDraw {
  /** The signed text `box/1`. */
  readonly box: SignedText;
  /** The sibling hashes from the commitment to the root, in hex. */
  readonly path: readonly string[];
}

export const DRAW_STEPS = ['box', 'reservation', 'commitment', 'client_seed', 'beacon', 'number', 'prize'] as const;
export type DrawStep = (typeof DRAW_STEPS)[number];
type DrawFault =
  | 'box_malformed'
  | 'box_not_signed'
  | 'box_differs'
  | 'outside_sale'
  | 'reservation_malformed'
  | 'reservation_not_signed'
  | 'reservation_of_other_box'
  | 'reservation_differs'
  | 'index_outside_box'
  | 'round_not_ahead'
  | 'seed_not_committed'
  | 'not_in_root'
  | 'client_seed_differs'
  | 'client_seed_malformed'
  | 'beacon_unknown'
  | 'beacon_missing'
  | 'beacon_not_signed'
  | 'number_differs'
  | 'prize_differs'
  | 'prize_not_paid'
  | 'resolved_late';

export interface DrawVerdict {
  readonly verified: boolean;
  readonly steps: Readonly<Record<DrawStep, DrawFault | null>>;
  readonly box: BoxTerms | null;
  readonly reservation: DrawReservation | null;
  /** The number computed by the verifier. */
  readonly number: number | null;
}

/** The values that the reader stored at the time of the draw. */
export interface KeptDraw {
  readonly reservation?: string;
  readonly clientSeed?: string | null;
  /** The box's hash as seen before. */
  readonly boxHash?: string;
}

async function isSignedBy(text: SignedText, keys: readonly ProofKey[], atMs: number): Promise<boolean> {
  const key = keys.find(({ use, id }) => use === 'receipt' && id === text.key);
  return key !== undefined && isKeyInTime(key, atMs) && (await verifySignedText(text, key.public_key)) === null;
}

const isCommitted = ({ box, i, commitment }: DrawReservation, seed: Uint8Array | undefined): boolean =>
  seed !== undefined && drawCommitment(box, i, seed) === commitment;

/** A rule fixes the round: the first one that is far enough ahead. */
const isRoundRight = (chain: BeaconChain | undefined, { round, reservedMs }: DrawReservation): boolean =>
  chain === undefined ? round === 0 : round === firstRoundFrom(chain, reservedMs + BEACON_ROUND_AHEAD_MS);

/** Verifies one draw step by step. A step that cannot be checked because of an earlier fault reports that fault. */
export async function verifyDraw(
  receipt: DrawReceipt,
  keys: readonly ProofKey[],
  { kept = {}, beacons = BEACONS }: { kept?: KeptDraw; beacons?: Readonly<Record<string, BeaconChain>> } = {},
): Promise<DrawVerdict> {
  const steps: Record<DrawStep, DrawFault | null> = {
    box: null,
    reservation: null,
    commitment: null,
    client_seed: null,
    beacon: null,
    number: null,
    prize: null,
  };
  const box = readBoxTerms(receipt.box.body);
  const reservation = readReservation(receipt.reservation.body);
  const end = (number: number | null = null): DrawVerdict => ({
    verified: DRAW_STEPS.every((step) => steps[step] === null),
    steps,
    box: box ?? null,
    reservation: reservation ?? null,
    number,
  });
  const failFrom = (first: DrawStep, fault: DrawFault): DrawVerdict => {
    for (const step of DRAW_STEPS.slice(DRAW_STEPS.indexOf(first))) steps[step] ??= fault;
    return end();
  };
  if (box === undefined) return failFrom('box', 'box_malformed');
  if (!(await isSignedBy(receipt.box, keys, box.opensMs))) steps.box = 'box_not_signed';
  else if (kept.boxHash !== undefined && kept.boxHash !== receipt.box.hash) steps.box = 'box_differs';

  if (reservation === undefined) return failFrom('reservation', 'reservation_malformed');
  const chain = box.beacon === 'none' ? undefined : beacons[box.beacon];
  steps.reservation = await faultOfReservation(receipt, { box, reservation, chain, keys, kept });

  const seed = parseSeed(receipt.seed);
  const commitment = fromHex(reservation.commitment, 32);
  const path = receipt.path.map((hash) => fromHex(hash, 32));
  const isPath = path.every((hash) => hash !== undefined);
  const root =
    commitment && isPath ? rootFromPath(leafHash(commitment), reservation.i - 1, box.drawsMax, path) : undefined;
  if (!isCommitted(reservation, seed)) steps.commitment = 'seed_not_committed';
  else if (root === undefined || toHex(root) !== box.root) steps.commitment = 'not_in_root';

  const clientSeed = receipt.client_seed ?? seedOfOrder(reservation.order);
  if (parseSeed(clientSeed) === undefined) steps.client_seed = 'client_seed_malformed';
  else if (kept.clientSeed !== undefined && kept.clientSeed !== receipt.client_seed)
    steps.client_seed = 'client_seed_differs';

  const randomness = await randomnessOf(receipt, { box, reservation, chain });
  if ('fault' in randomness) steps.beacon = randomness.fault;
  if (seed === undefined || 'fault' in randomness)
    return failFrom('number', steps.commitment ?? steps.beacon ?? 'number_differs');

  const { i, round } = reservation;
  const number = drawNumber(
    { box: box.id, i, seed, clientSeed, round, randomness: randomness.hex },
    weightSumOf(box.table),
  );
  if (String(number) !== receipt.number) steps.number = 'number_differs';
  steps.prize = faultOfPrize(receipt, box, reservation, number);
  return end(number);
}

interface DrawParts {
  readonly box: BoxTerms;
  readonly reservation: DrawReservation;
  readonly chain: BeaconChain | undefined;
}

async function faultOfReservation(
  receipt: Pick<DrawReceipt, 'box' | 'reservation'>,
  { box, reservation, chain, keys, kept }: DrawParts & { keys: readonly ProofKey[]; kept: KeptDraw },
): Promise<DrawFault | null> {
  if (reservation.box !== box.id || reservation.boxHash !== receipt.box.hash) return 'reservation_of_other_box';
  if (!(await isSignedBy(receipt.reservation, keys, reservation.reservedMs))) return 'reservation_not_signed';
  if (reservation.i > box.drawsMax) return 'index_outside_box';
  if (reservation.reservedMs < box.opensMs || reservation.reservedMs >= box.closesMs) return 'outside_sale';
  if (!isRoundRight(chain, reservation)) return 'round_not_ahead';
  return kept.reservation !== undefined && kept.reservation !== receipt.reservation.body ? 'reservation_differs' : null;
}

async function randomnessOf(
  { beacon }: Pick<ShownDraw, 'beacon'>,
  { box, reservation, chain }: DrawParts,
): Promise<{ readonly hex: string } | { readonly fault: DrawFault }> {
  if (box.beacon === 'none') return { hex: '' };
  if (chain === undefined) return { fault: 'beacon_unknown' };
  if (beacon === null) return { fault: 'beacon_missing' };
  const hex = await readBeacon(chain, reservation.round, beacon);
  return hex === undefined ? { fault: 'beacon_not_signed' } : { hex };
}

function faultOfPrize(
  { prize, paid, resolved }: ShownDraw,
  { table, beacon }: BoxTerms,
  { reservedMs }: DrawReservation,
  number: number,
): DrawFault | null {
  const row = prizeOfNumber(table, number);
  const won = table[row];
  if (won === undefined || String(row) !== prize) return 'prize_differs';
  if (paid?.asset !== assetOfPrize(won.prize) || paid.units !== String(won.amount)) return 'prize_not_paid';
  // A beacon may publish its round late. Without a beacon, nothing justifies a late result.
  return beacon === 'none' && Number(resolved) - reservedMs > DRAW_RESOLVED_WITHIN_MS ? 'resolved_late' : null;
}

/** A box's public file: everything that was ever drawn from it. */
export interface BoxFile {
  readonly box: SignedText;
  /** Hashes of all seeds in order (hex), including those of draws that never took place. */
  readonly commitments: readonly string[];
  /** In order. An open draw has only a reservation. */
  readonly draws: readonly (ShownDraw | { readonly reservation: SignedText })[];
  /** When the file was made, in ms as text. */
  readonly at: string;
}

type BoxFault =
  | DrawFault
  | 'commitments_not_in_root'
  | 'draw_skipped'
  | 'draw_out_of_order'
  | 'draw_unresolved'
  | 'budget_exceeded'
  | 'not_plausible';

interface BoxVerdict {
  readonly verified: boolean;
  /** `i` is 0 for a fault of the box itself. */
  readonly faults: readonly { readonly i: number; readonly fault: BoxFault }[];
  readonly box: BoxTerms | null;
  readonly resolved: number;
  readonly open: number;
  /** The number of draws of each row of the table. */
  readonly given: readonly number[];
  /** The base-10 logarithm of the chance of `given` by the odds (`boxChanceLog10`). */
  readonly chanceLog10: number;
}

/**
 * Verifies a whole box: each draw, that none was skipped, reordered or left open, and that the prizes fit the budget.
 */
export async function verifyBox(
  file: BoxFile,
  keys: readonly ProofKey[],
  beacons: Readonly<Record<string, BeaconChain>> = BEACONS,
): Promise<BoxVerdict> {
  const faults: { i: number; fault: BoxFault }[] = [];
  const box = readBoxTerms(file.box.body) ?? null;
  if (box === null)
    return {
      verified: false,
      faults: [{ i: 0, fault: 'box_malformed' }],
      box,
      resolved: 0,
      open: 0,
      given: [],
      chanceLog10: 0,
    };
  if (!(await isSignedBy(file.box, keys, box.opensMs))) faults.push({ i: 0, fault: 'box_not_signed' });
  const leaves = file.commitments.map((hash) => fromHex(hash, 32));
  if (
    leaves.length !== box.drawsMax ||
    !leaves.every((leaf) => leaf !== undefined) ||
    toHex(treeRoot(leaves.map(leafHash))) !== box.root
  )
    faults.push({ i: 0, fault: 'commitments_not_in_root' });

  const chain = box.beacon === 'none' ? undefined : beacons[box.beacon];
  const given = box.table.map(() => 0);
  const paid = { USDT: 0n, POINTS: 0n };
  let [open, last, lastMs] = [0, 0, 0];
  for (const draw of file.draws) {
    const reservation = readReservation(draw.reservation.body);
    const i = last + 1;
    last = i;
    if (reservation === undefined) {
      faults.push({ i, fault: 'reservation_malformed' });
      continue;
    }
    if (reservation.i !== i) {
      faults.push({ i, fault: reservation.i > i ? 'draw_skipped' : 'draw_out_of_order' });
      last = Math.max(i, reservation.i);
    }
    if (reservation.reservedMs < lastMs) faults.push({ i, fault: 'draw_out_of_order' });
    lastMs = reservation.reservedMs;
    const parts = { box, reservation, chain };
    const fault = await faultOfReservation(
      { box: file.box, reservation: draw.reservation },
      { ...parts, keys, kept: {} },
    );
    if (fault !== null) faults.push({ i, fault });
    if (file.commitments[reservation.i - 1] !== reservation.commitment) faults.push({ i, fault: 'not_in_root' });
    if (!('seed' in draw)) {
      open += 1;
      const dueMs =
        Math.max(reservation.reservedMs, chain ? roundTimeMs(chain, reservation.round) : 0) + DRAW_RESOLVED_WITHIN_MS;
      if (Number(file.at) > dueMs) faults.push({ i, fault: 'draw_unresolved' });
      continue;
    }
    const outcome = await outcomeOf(draw, parts);
    if ('fault' in outcome) faults.push({ i, fault: outcome.fault });
    else {
      given[outcome.row] = (given[outcome.row] ?? 0) + 1;
      const won = box.table[outcome.row];
      if (won) paid[assetOfPrize(won.prize)] += won.amount;
    }
  }
  if (paid.USDT > box.budget.USDT || paid.POINTS > box.budget.POINTS) faults.push({ i: 0, fault: 'budget_exceeded' });
  const resolved = given.reduce((sum, count) => sum + count, 0);
  const chanceLog10 = boxChanceLog10(
    given,
    box.table.map(({ weight }) => weight),
  );
  if (chanceLog10 < BOX_CHANCE_LOG10_MIN) faults.push({ i: 0, fault: 'not_plausible' });
  return {
    verified: faults.length === 0,
    faults,
    box,
    resolved,
    open,
    given,
    chanceLog10,
  };
}

async function outcomeOf(
  draw: ShownDraw,
  parts: DrawParts,
): Promise<{ readonly row: number } | { readonly fault: DrawFault }> {
  const { box, reservation } = parts;
  const seed = parseSeed(draw.seed);
  if (seed === undefined || !isCommitted(reservation, seed)) return { fault: 'seed_not_committed' };
  const clientSeed = draw.client_seed ?? seedOfOrder(reservation.order);
  if (parseSeed(clientSeed) === undefined) return { fault: 'client_seed_malformed' };
  const randomness = await randomnessOf(draw, parts);
  if ('fault' in randomness) return randomness;
  const { i, round } = reservation;
  const number = drawNumber(
    { box: box.id, i, seed, clientSeed, round, randomness: randomness.hex },
    weightSumOf(box.table),
  );
  if (String(number) !== draw.number) return { fault: 'number_differs' };
  const fault = faultOfPrize(draw, box, reservation, number);
  return fault === null ? { row: prizeOfNumber(box.table, number) } : { fault };
}

/** Returns until when a customer's seed counts, in ms since 1970: 30 s, and never after the round could be known. */
export function clientSeedUntilMs({ round, reservedMs }: DrawReservation, chain: BeaconChain | undefined): number {
  const latest = reservedMs + CLIENT_SEED_WINDOW_MS;
  return chain === undefined ? latest : Math.min(latest, roundTimeMs(chain, round));
}
