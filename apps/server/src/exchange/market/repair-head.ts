import type { CoinCode } from '@sathorn/money';
import { type Database, statement } from '../../platform/database/index.ts';
import type { Signer } from '../../platform/proofs/index.ts';

/** Error code of a tick that does not extend its coin's chain. */
const DOES_NOT_FOLLOW = 'MK002';

const behindHeadText = statement(
  'market.read_ticks_behind_head',
  `SELECT t.coin, t.body, encode(t.signature, 'hex') AS signature FROM unnest($1::text[]) AS coins(coin) LEFT JOIN market.head h USING (coin)
   JOIN market.tick t ON t.coin = coins.coin AND t.sequence > coalesce(h.sequence, 0) ORDER BY t.coin, t.sequence`,
);
const repairText = statement('market.heal_head', 'SELECT market.heal_head($1) AS moved');

/**
 * Moves the heads of coins to their newest ticks. If ticks are written while the linking trigger is off, the head is
 * behind and no new tick extends the chain. A head moves only if all ticks after it form a chain, which the database
 * checks, and were all signed with this key. Returns the coins whose head moved.
 */
async function repairHeads(
  database: Database,
  coins: readonly CoinCode[],
  signer: Pick<Signer, 'sign'>,
): Promise<CoinCode[]> {
  const ticks = await database.query<{ coin: CoinCode; body: string; signature: string }>(behindHeadText, [[...coins]]);
  const repaired: CoinCode[] = [];
  for (const coin of new Set(ticks.map((tick) => tick.coin))) {
    // Signatures are deterministic, so signing again shows whether a signature is ours.
    const areOurs = ticks.every((tick) => tick.coin !== coin || signer.sign(tick.body).signature === tick.signature);
    if (!areOurs)
      throw new Error(`ticks of ${coin} after its head are not signed by the key of the index: the head stays`);
    const [row] = await database.query<{ moved: bigint }>(repairText, [coin]);
    if (row !== undefined && row.moved > 0n) repaired.push(coin);
  }
  return repaired;
}

/**
 * Publishes. If a tick does not extend its chain, repairs the heads and throws the error anyway; the next call then
 * succeeds.
 */
export async function withHeadRepair<Result>(
  { database, signer, coins }: { database: Database; signer: Pick<Signer, 'sign'>; coins: readonly CoinCode[] },
  publish: () => Promise<Result>,
): Promise<Result> {
  try {
    return await publish();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === DOES_NOT_FOLLOW)
      await repairHeads(database, coins, signer);
    throw error;
  }
}
