import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../platform/database/testing.ts';
import { INDEX_ONLY_SETTINGS, invariantsOf } from './inspect-history.ts';
import { invariantsQueryOf } from './run-invariants.ts';
import { CHECKER_SCANS } from './scans.ts';

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Parent Relationship'?: string;
  readonly 'Relation Name'?: string;
  readonly 'CTE Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** Tables with one row, one per coin, or one per change of a setting. */
const SMALL = [
  // Has one row per box.
  'standing',
  'head',
  'book',
  'candle_head',
  'guard',
  'deployment',
  'log_head',
  'calendar',
  'threshold',
];
/** Tables with one row per minute, which are summed only for the last page. */
const OF_A_COIN = ['candle'];

/**
 * Plan nodes that cost more than the rows of the page: a full scan of a table or of everything after the cursor (a
 * bitmap has no order, so its first rows are known only when all are), or a scan of the whole page for each of its
 * rows.
 */
function excesses(node: PlanNode, isRepeated = false): string[] {
  const table = node['Relation Name'];
  const bound = node['Index Cond'] ?? '';
  const isOfCoin = /^\(coin = [^ ]+\)$/.test(bound) && !OF_A_COIN.includes(table ?? '');
  const isWhole = table !== undefined && !SMALL.includes(table) && (bound === '' || isOfCoin);
  const isAgain = isRepeated && node['Node Type'] === 'CTE Scan';
  return [
    ...(isWhole ? [`all of ${table}`] : []),
    ...(isAgain ? [`${node['CTE Name']} again for each row`] : []),
    ...(node.Plans ?? []).flatMap((child) => {
      const isLoop = node['Node Type'] === 'Nested Loop' && child['Parent Relationship'] === 'Inner';
      // An InitPlan node runs once per query.
      const isOnce = child['Parent Relationship'] === 'InitPlan';
      return excesses(child, !isOnce && (isRepeated || isLoop || child['Parent Relationship'] === 'SubPlan'));
    }),
  ];
}

describe('checking a page of history costs no more than its own rows', () => {
  let test: TestDatabase;
  let client: pg.Client;
  const planned = async (text: string, values: unknown[]): Promise<string[]> => {
    await client.query('BEGIN');
    await client.query(INDEX_ONLY_SETTINGS);
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      `EXPLAIN (FORMAT JSON) ${text}`,
      values,
    );
    await client.query('ROLLBACK');
    return rows.flatMap(({ 'QUERY PLAN': plans }) => plans.flatMap(({ Plan }) => excesses(Plan)));
  };
  beforeAll(async () => {
    test = await openTestDatabase();
    client = new pg.Client(test.checker);
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await test.close();
  });

  it.each(CHECKER_SCANS.map((scan) => [scan.name, scan] as const))('%s', async (_name, scan) => {
    const id = '00000000-0000-0000-0000-00000000000';
    const isOfCoins = scan.starts.includes('coin');
    const cursor = (n: number): string[] =>
      scan.starts.includes(id) ? [`${id}${n}`] : [...(isOfCoins ? ['BTC'] : []), ...Array<string>(7).fill(String(n))];
    expect(await planned(scan.next, [cursor(1), 3])).toEqual([]);
    expect(await planned(invariantsQueryOf(invariantsOf(scan, true), scan.given), [cursor(1), cursor(3)])).toEqual([]);
  });

  it('detects a plan that costs more', async () => {
    const given = 't AS MATERIALIZED (SELECT * FROM ledger.transfer WHERE sequence > 1 AND sequence <= 3)';
    const excessive = 'SELECT t.sequence FROM t JOIN ledger.journal j ON j.id = t.journal';
    const quadratic =
      'SELECT t.sequence FROM t CROSS JOIN LATERAL (SELECT FROM t u WHERE u.sequence < t.sequence OFFSET 0) u';
    expect(await planned(`WITH ${given} ${excessive}`, [])).toEqual(['all of journal']);
    const ofCoin = "SELECT FROM contracts.trade WHERE coin = 'BTC' AND quantity > 1";
    expect(await planned(`WITH ${given} ${quadratic}`, [])).toEqual(['t again for each row']);
    expect(await planned(ofCoin, [])).toEqual(['all of trade']);
  });
});
