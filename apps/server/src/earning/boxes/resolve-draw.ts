import {
  BEACONS,
  type BeaconChain,
  clientSeedUntilMs,
  drawCommitment,
  drawNumber,
  prizeOfNumber,
  readBeacon,
  readBoxTerms,
  readReservation,
  seedOfOrder,
  toHex,
  weightSumOf,
} from '@sathorn/proof';
import { type Ledger, uuidOfName } from '../../ledger/index.ts';
import type { BeaconClient } from './beacon-client.ts';
import type { BoxSeeds } from './box-seeds.ts';
import type { BoxRow, DrawRow } from './box-store.ts';
import { resolveDrawKind } from './draw-kind.ts';

/** A seed that was sent in time may still be on its way to the database. */
const GRACE_MS = 1_000;

interface ResolveDrawDependencies {
  readonly ledger: Ledger;
  readonly beacon: BeaconClient;
  readonly beacons?: Readonly<Record<string, BeaconChain>>;
  readonly seeds: BoxSeeds;
}

/** The time until which the customer's seed for a draw is accepted. */
export function drawSeedUntilMs(draw: DrawRow, box: BoxRow, beacons = BEACONS): number {
  const [terms, reservation] = [readBoxTerms(box.body), readReservation(draw.body)];
  if (terms === undefined || reservation === undefined) throw new Error(`draw ${draw.id} has no terms`);
  return clientSeedUntilMs(reservation, terms.beacon === 'none' ? undefined : beacons[terms.beacon]);
}

/**
 * Resolves a draw if everything that it needs is available. Returns true if it is resolved. Repeating it gives the same
 * result.
 */
export async function resolveDraw(
  draw: DrawRow,
  box: BoxRow,
  at: Date,
  { ledger, beacon, beacons = BEACONS, seeds }: ResolveDrawDependencies,
): Promise<boolean> {
  const terms = readBoxTerms(box.body);
  if (terms === undefined) throw new Error(`box ${box.id} has no terms`);
  if (draw.client_seed === null && at.getTime() < drawSeedUntilMs(draw, box, beacons) + GRACE_MS) return false;
  let [signature, randomness]: [string | null, string] = [null, ''];
  if (terms.beacon !== 'none') {
    const chain = beacons[terms.beacon];
    signature = await beacon.read(terms.beacon, draw.round);
    const read = chain && signature !== null ? await readBeacon(chain, draw.round, signature) : undefined;
    // The draw waits for its round. Rounds are public and dated, so nobody can claim that there was none.
    if (read === undefined) return false;
    randomness = read;
  }
  const seed = seeds.seedOf(box.id, draw.i);
  // Reveals only the seed that this draw's signed reservation promised, so never that of a number that was not sold.
  if (readReservation(draw.body)?.commitment !== drawCommitment(box.id, draw.i, seed))
    throw new Error(`alarm: the seed of draw ${draw.id} is not the promised one`);
  const clientSeed = draw.client_seed ?? seedOfOrder(draw.id);
  const number = drawNumber(
    { box: box.id, i: draw.i, seed, clientSeed, round: draw.round, randomness },
    weightSumOf(terms.table),
  );
  const prize = prizeOfNumber(terms.table, number);
  const won = terms.table[prize];
  if (won === undefined) throw new Error('a prize beyond the table');
  const decision = await ledger.post(
    resolveDrawKind,
    { draw, box, at, beacon: signature, seed: toHex(seed), number, prize, won },
    { id: uuidOfName(`boxes.resolve/${draw.id}`), digest: draw.id },
  );
  return decision.ok;
}
