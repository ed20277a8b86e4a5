/**
 * `npm run fund-house -- ACCOUNT AMOUNT ASSET --decided-by NAME --approved-by NAME --why TEXT` pays capital into an
 * account of the house: house_capital, options_pool, maker, yield, goodwill, or rewards (USDT and POINTS). Two people
 * decide; the decision is stored and the checker compares it with the ledger. Reads DATABASE_URL and DATA_DIR, like the
 * platform.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { ownerConnection } from '../platform/database/index.ts';

const USAGE =
  'usage: npm run fund-house -- house_capital|options_pool|maker|yield|goodwill|rewards AMOUNT ASSET --decided-by NAME --approved-by NAME --why TEXT';

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'decided-by': { type: 'string' }, 'approved-by': { type: 'string' }, why: { type: 'string' } },
  });
  const [account, amount, asset] = positionals;
  if (positionals.length !== 3 || !/^[0-9]+([.][0-9]+)?$/.test(amount ?? '')) throw new Error(USAGE);
  const client = new pg.Client(
    ownerConnection({
      databaseUrl: process.env.DATABASE_URL || null,
      dataDir: path.resolve(process.env.DATA_DIR || './data'),
    }),
  );
  await client.connect();
  try {
    const { rows } = await client.query<{ decision: string }>(
      'SELECT ledger.pay_in_capital($1, $2, $3, $4, $5, $6) AS decision',
      [account, amount, asset, values['decided-by'] ?? '', values['approved-by'] ?? '', values.why ?? ''],
    );
    console.log(`decision ${rows[0]?.decision}: ${amount} ${asset} paid into ${account}`);
  } finally {
    await client.end();
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
