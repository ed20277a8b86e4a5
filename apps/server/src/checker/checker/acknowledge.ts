/**
 * `npm run acknowledge` lists the violations that the checker found; `npm run acknowledge -- 3 4 --by NAME --why TEXT`
 * acknowledges violations 3 and 4, and `-- all …` all of them. Once all are acknowledged, money moves again. Reads
 * DATABASE_URL and DATA_DIR, like the platform.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ownerConnection } from '../../platform/database/index.ts';
import { acknowledgeViolations } from './acknowledge-violations.ts';

const USAGE = 'usage: npm run acknowledge [-- VIOLATION … | all --by NAME --why TEXT]';

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { by: { type: 'string' }, why: { type: 'string' } },
  });
  const { by, why } = values;
  const isListing = positionals.length === 0 && by === undefined && why === undefined;
  if (!isListing && (by === undefined || why === undefined)) throw new Error(USAGE);
  const violations = positionals.length === 1 && positionals[0] === 'all' ? 'all' : positionals;
  const owner = ownerConnection({
    databaseUrl: process.env.DATABASE_URL || null,
    dataDir: path.resolve(process.env.DATA_DIR || './data'),
  });
  await acknowledgeViolations(owner, isListing ? null : { violations, by: by ?? '', why: why ?? '' }, (line) =>
    console.log(line),
  );
  if (isListing) console.log(USAGE);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
