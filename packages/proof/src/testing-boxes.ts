import type { BeaconChain } from './beacon.ts';
import { firstRoundFrom } from './beacon.ts';
import {
  BEACON_ROUND_AHEAD_MS,
  type BoxTerms,
  CLIENT_SEED_WINDOW_MS,
  drawCommitment,
  drawNumber,
  prizeOfNumber,
  seedOfOrder,
  weightSumOf,
  writeBoxTerms,
  writeReservation,
} from './box-draw.ts';
import { fromHex, sha256, toHex, utf8Bytes } from './hash.ts';
import { inclusionPath, leafHash, treeRoot } from './merkle-tree.ts';
import { signText } from './signature.ts';
import { TEST_KEY_SEEDS } from './testing-receipts.ts';
import type { BoxFile, DrawReceipt, KeptDraw, ShownDraw } from './verify-draw.ts';

const TEST_BOX_ID = '6f0d3f6e-8a51-4c0e-9d55-0b1f6f1f2a77';
export const TEST_BOX_OPENS_MS = 1_767_225_600_000;
export const drawSeedOf = (i: number): Uint8Array => sha256(utf8Bytes(`seed ${i}`));
export const drawOrderIdOf = (i: number): string => `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`;
const clientSeedOf = (i: number): string => toHex(sha256(utf8Bytes(`phone ${i}`)));

/** Quicknet's public answers for these rounds, so that the vectors need no network. */
export const QUICKNET_1000 =
  'b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39';

export const TEST_PRIZES: BoxTerms['table'] = [
  { prize: 'usdt', amount: 100_000_000n, weight: 2 },
  { prize: 'usdt', amount: 1_000_000n, weight: 648 },
  { prize: 'usdt', amount: 500_000n, weight: 1_500 },
  { prize: 'points', amount: 20n, weight: 7_850 },
];

interface TestBox {
  readonly terms: BoxTerms;
  readonly commitments: readonly string[];
  readonly signed: DrawReceipt['box'];
}

export function testBox(change: Partial<BoxTerms> = {}): TestBox {
  const drawsMax = change.drawsMax ?? 12;
  const commitments = Array.from({ length: drawsMax }, (_, n) => drawCommitment(TEST_BOX_ID, n + 1, drawSeedOf(n + 1)));
  const leaves = commitments.map((hash) => leafHash(fromHex(hash, 32) ?? utf8Bytes('')));
  const terms: BoxTerms = {
    id: TEST_BOX_ID,
    price: 100n,
    table: TEST_PRIZES,
    budget: { USDT: 1_600_000_000n, POINTS: 500_000n },
    drawsMax,
    opensMs: TEST_BOX_OPENS_MS,
    closesMs: TEST_BOX_OPENS_MS + 86_400_000,
    beacon: 'none',
    root: toHex(treeRoot(leaves)),
    environment: 'demo',
    ...change,
  };
  return { terms, commitments, signed: signText(writeBoxTerms(terms), TEST_KEY_SEEDS.receipt) };
}

interface DrawChoices {
  readonly clientSeed?: string | null;
  readonly reservedMs?: number;
  readonly seed?: Uint8Array;
  /** For a box with a beacon. */
  readonly chain?: BeaconChain;
  readonly beacon?: string;
  readonly resolvedMs?: number;
}

/** A draw as an honest server shows it. */
export function testDraw({ terms, commitments, signed }: TestBox, i: number, choices: DrawChoices = {}): DrawReceipt {
  const { clientSeed = clientSeedOf(i), reservedMs = TEST_BOX_OPENS_MS + i * 1_000, chain, beacon } = choices;
  const round = chain === undefined ? 0 : firstRoundFrom(chain, reservedMs + BEACON_ROUND_AHEAD_MS);
  const reservation = signText(
    writeReservation({
      order: drawOrderIdOf(i),
      box: terms.id,
      boxHash: signed.hash,
      i,
      commitment: commitments[i - 1] ?? '',
      round,
      reservedMs,
    }),
    TEST_KEY_SEEDS.receipt,
  );
  const seed = choices.seed ?? drawSeedOf(i);
  const randomness = beacon === undefined ? '' : toHex(sha256(fromHex(beacon, 48) ?? utf8Bytes('')));
  const number = drawNumber(
    { box: terms.id, i, seed, clientSeed: clientSeed ?? seedOfOrder(drawOrderIdOf(i)), round, randomness },
    weightSumOf(terms.table),
  );
  const prize = prizeOfNumber(terms.table, number);
  const won = terms.table[prize];
  if (won === undefined) throw new Error('no prize');
  const leaves = commitments.map((hash) => leafHash(fromHex(hash, 32) ?? utf8Bytes('')));
  return {
    box: signed,
    reservation,
    path: inclusionPath(leaves, i - 1).map(toHex),
    client_seed: clientSeed,
    beacon: beacon ?? null,
    seed: toHex(seed),
    number: String(number),
    prize: String(prize),
    resolved: String(choices.resolvedMs ?? reservedMs + (clientSeed === null ? CLIENT_SEED_WINDOW_MS : 0) + 1_500),
    paid: { asset: won.prize === 'points' ? 'POINTS' : 'USDT', units: String(won.amount) },
  };
}

/** The draw of a friend who knows the seeds, and so chooses the customer's seed that wins the highest prize. */
export function friendDraw(box: TestBox, i: number): DrawReceipt {
  const [best = { weight: 0 }] = box.terms.table;
  const values = { box: box.terms.id, i, seed: drawSeedOf(i), round: 0, randomness: '' };
  for (let n = 0; ; n += 1) {
    const clientSeed = toHex(sha256(utf8Bytes(`friend ${i} ${n}`)));
    if (drawNumber({ ...values, clientSeed }, weightSumOf(box.terms.table)) < best.weight)
      return testDraw(box, i, { clientSeed });
  }
}

export const shownDrawOf = ({ box: _box, path: _path, ...draw }: DrawReceipt): ShownDraw => draw;

export function testFile(
  box: TestBox,
  draws: readonly BoxFile['draws'][number][],
  atMs = TEST_BOX_OPENS_MS + 600_000,
): BoxFile {
  return { box: box.signed, commitments: box.commitments, draws, at: String(atMs) };
}

export const TEST_BOX = testBox();
export const TEST_DRAW = testDraw(TEST_BOX, 3);
export const FOREIGN_SEED = sha256(utf8Bytes('somebody else'));
export const rewriteDraw = (
  draw: DrawReceipt,
  change: Record<string, string>,
  key = TEST_KEY_SEEDS.receipt,
): DrawReceipt => {
  const body = JSON.parse(draw.reservation.body);
  const text = JSON.stringify(Object.fromEntries(Object.entries({ ...body, ...change }).sort()));
  return { ...draw, reservation: signText(text, key) };
};

const richer = testBox({ table: [{ ...TEST_PRIZES[0], weight: 9_000 } as never, ...TEST_PRIZES.slice(1)] });
const other = testDraw(TEST_BOX, 5);
/** Each manipulation by a cheating operator, and the fault that a verifier must name. */
export const CHEATING_DRAWS: readonly [what: string, fault: string, draw: DrawReceipt, kept?: KeptDraw][] = [
  ['a table that was changed after the sale began', 'reservation_of_other_box', { ...TEST_DRAW, box: richer.signed }],
  [
    'a box that somebody else signed',
    'box_not_signed',
    { ...TEST_DRAW, box: signText(TEST_BOX.signed.body, FOREIGN_SEED) },
  ],
  [
    'a box whose text was touched',
    'box_malformed',
    { ...TEST_DRAW, box: { ...TEST_BOX.signed, body: `${TEST_BOX.signed.body} ` } },
  ],
  ['a box other than the device saw', 'box_differs', TEST_DRAW, { boxHash: 'f'.repeat(64) }],
  ['a number given to another draw', 'not_in_root', { ...TEST_DRAW, path: other.path }],
  ['a number that was reordered', 'seed_not_committed', rewriteDraw(TEST_DRAW, { i: '4' })],
  ['a number beyond the box', 'index_outside_box', rewriteDraw(TEST_DRAW, { i: '13' })],
  ['a reservation of another key', 'reservation_not_signed', rewriteDraw(TEST_DRAW, {}, FOREIGN_SEED)],
  [
    'a reservation other than was handed out',
    'reservation_differs',
    TEST_DRAW,
    { reservation: other.reservation.body },
  ],
  ['a reservation before the sale', 'outside_sale', testDraw(TEST_BOX, 3, { reservedMs: TEST_BOX_OPENS_MS - 1 })],
  ['a round where there is none', 'round_not_ahead', rewriteDraw(TEST_DRAW, { round: '1000' })],
  ['a seed that was not promised', 'seed_not_committed', testDraw(TEST_BOX, 3, { seed: FOREIGN_SEED })],
  [
    'another seed of the phone',
    'client_seed_differs',
    testDraw(TEST_BOX, 3, { clientSeed: clientSeedOf(9) }),
    { clientSeed: clientSeedOf(3) },
  ],
  [
    'the phone’s seed left out',
    'client_seed_differs',
    testDraw(TEST_BOX, 3, { clientSeed: null }),
    { clientSeed: clientSeedOf(3) },
  ],
  ['another number', 'number_differs', { ...TEST_DRAW, number: '1' }],
  ['another prize', 'prize_differs', { ...TEST_DRAW, prize: '0' }],
  ['a prize that was paid short', 'prize_not_paid', { ...TEST_DRAW, paid: { asset: 'POINTS', units: '19' } }],
  ['a prize that was not paid', 'prize_not_paid', { ...TEST_DRAW, paid: null }],
  [
    'a draw that was left open',
    'resolved_late',
    { ...TEST_DRAW, resolved: String(TEST_BOX_OPENS_MS + 3_000 + 60_001) },
  ],
];
