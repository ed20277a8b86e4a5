import { type Connection, openDatabase, statement } from '../../platform/database/index.ts';
import { type ChainConfig, declareHouseAddresses } from '../chain/index.ts';

const SAFE = statement(
  'treasury.declare_safe',
  `INSERT INTO treasury.safe (chain, chain_id, address, multi_send) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
);
const KNOWN = statement('treasury.known_safe', 'SELECT address FROM treasury.safe WHERE chain = $1');
const OWNER = statement('treasury.declare_owner', 'SELECT treasury.declare_demo_owner($1, $2, $3)');

/**
 * Writes the Safe of a chain and the demo's owners, once. Runs as the database's owner: the application must not decide
 * where the house's money lies. From then on withdrawals that need people are paid by payment runs.
 */
export async function declareTreasury(
  owner: Connection,
  { code, chainId, treasury }: Pick<ChainConfig, 'code' | 'chainId' | 'treasury'>,
): Promise<void> {
  const database = openDatabase(owner, { connections: 1 });
  try {
    const [known] = await database.query<{ address: string }>(KNOWN, [code]);
    // Without its treasury nobody could pay what the treasury pays.
    if (known !== undefined && known.address !== treasury?.safe)
      throw new Error(`the treasury on ${code} is ${known.address}: set TREASURY_SAFE to it, and to no other`);
    if (treasury === null) return;
    const { safe, multiSend, demoOwners } = treasury;
    await declareHouseAddresses(owner, [{ chain: code, address: safe, role: 'named' }]);
    await database.query(SAFE, [code, chainId, safe, multiSend]);
    for (const { address, workName } of demoOwners) await database.query(OWNER, [code, address, workName]);
  } finally {
    await database.close();
  }
}
