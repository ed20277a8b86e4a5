import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findViolations } from '../checker/checker/index.ts';
import { openTestDatabase, type TestDatabase } from '../platform/database/testing.ts';

/** One transfer's arguments of `ledger.post`, as elements of its arrays. */
interface Line {
  readonly kind: string | null;
  readonly resolves?: string | null;
  readonly asset?: string | null;
  readonly debit: string | null;
  readonly credit: string | null;
  readonly units: string | null;
  readonly held?: string | null;
  readonly code?: string | null;
  /** Entry, total and held afterwards. */
  readonly from: readonly (string | null)[];
  readonly to: readonly (string | null)[];
  readonly journal?: string | null;
}

const POST = `SELECT ledger.post($1::bigint, $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::integer[],
  $9::uuid[], $10::text[], $11::bigint[], $12::text[], $13::bigint[], $14::bigint[], $15::numeric[], $16::numeric[], $17::smallint[],
  $18::bigint[], $19::numeric[], $20::numeric[], $21::bigint[], $22::numeric[], $23::numeric[])`;
const RESOLVE =
  'SELECT ledger.resolve($1::uuid, $2, $3, $4::text[], $5::bigint[], $6::numeric[], $7::bigint, $8::smallint)';

describe('an attacker with the application’s database role and none of its code', () => {
  let test: TestDatabase;
  let app: pg.Client;
  let [equity, pool, fees, spot, other, coins] = ['', '', '', '', '', ''];

  beforeAll(async () => {
    test = await openTestDatabase({ anyPurpose: true });
    app = new pg.Client(test.app);
    await app.connect();
    await app.query(
      `SELECT ledger.open_accounts('{0,0,0,5,6,5}', '{100,210,220,1000,1000,1000}', '{USDT,USDT,USDT,USDT,USDT,BTC}')`,
    );
    const { rows } = await app.query<{ id: string }>('SELECT id FROM ledger.account ORDER BY owner, code, asset DESC');
    [equity = '', pool = '', fees = '', spot = '', coins = '', other = ''] = rows.map(({ id }) => id);
    // 1: a payment of 1000 to the customer. 2 and 3: two holds of 100 each.
    await post([
      { kind: 's', debit: equity, credit: spot, units: '1000', from: ['1', '-1000', '0'], to: ['1', '1000', '0'] },
      { kind: 'h', debit: spot, credit: pool, units: '100', from: ['2', '1000', '100'], to: ['1', '0', '0'] },
      { kind: 'h', debit: spot, credit: pool, units: '100', from: ['3', '1000', '200'], to: ['2', '0', '0'] },
    ]);
  });
  afterAll(async () => {
    await app.end();
    await test.close();
  });

  async function post(lines: readonly Line[], first?: string): Promise<void> {
    const { rows } = await app.query<{ next: string }>('SELECT last_sequence + 1 AS next FROM ledger.head');
    const sequence = first ?? rows[0]?.next ?? '';
    const journal = randomUUID();
    await app.query(POST, [
      sequence,
      [journal],
      ['test.hostile'],
      ['d'],
      [null],
      [null],
      [sequence],
      [lines.length],
      lines.map((line) => (line.journal === undefined ? journal : line.journal)),
      lines.map(({ kind }) => kind),
      lines.map(({ resolves }) => resolves ?? null),
      lines.map(({ asset }) => (asset === undefined ? 'USDT' : asset)),
      lines.map(({ debit }) => debit),
      lines.map(({ credit }) => credit),
      lines.map(({ units }) => units),
      lines.map(({ held }) => (held === undefined ? '0' : held)),
      lines.map(({ code }) => (code === undefined ? '1' : code)),
      ...[0, 1, 2].map((n) => lines.map(({ from }) => from[n])),
      ...[0, 1, 2].map((n) => lines.map(({ to }) => to[n])),
    ]);
  }

  const refused = async (what: string, attempt: () => Promise<unknown>): Promise<void> => {
    await app.query('BEGIN');
    const outcome = await attempt().then(
      () => 'accepted',
      () => 'refused',
    );
    await app.query('ROLLBACK');
    expect(outcome, what).toBe('refused');
  };

  // The next entry numbers: equity 2, spot 4, pool 3.
  const single = (over: Partial<Line> = {}): Line => ({
    kind: 's',
    debit: spot,
    credit: pool,
    units: '10',
    from: ['4', '990', '200'],
    to: ['3', '10', '0'],
    ...over,
  });

  it('posts valid transfers, and no others', async () => {
    const still = { from: ['4', '1000', '200'], to: ['3', '0', '0'] };
    const attempts: [string, Line[]][] = [
      // The column keeps the first letter of a longer word; the arithmetic must not have used the whole word.
      ['a hold that holds nothing', [single({ kind: 'hold', ...still })]],
      ['a payment that moves nothing', [single({ kind: 'single', units: '1000000', ...still })]],
      [
        'a post without payment',
        [
          single({
            kind: 'post',
            resolves: '2',
            units: '100',
            held: '100',
            from: ['4', '1000', '100'],
            to: ['3', '0', '0'],
          }),
        ],
      ],
      [
        'a post of another’s hold',
        [
          single({
            kind: 'px',
            resolves: '2',
            debit: equity,
            credit: other,
            held: '0',
            from: ['2', '-1000', '0'],
            to: ['1', '0', '0'],
          }),
        ],
      ],
      [
        'an amount held that is not a number',
        [
          single({
            kind: 'px',
            resolves: '2',
            debit: equity,
            held: 'NaN',
            from: ['2', '-1000', 'NaN'],
            to: ['3', '0', '0'],
          }),
        ],
      ],
      ['no kind', [single({ kind: null })]],
      ['another kind', [single({ kind: 'x', ...still })]],
      ['an empty kind', [single({ kind: '', ...still })]],
      ['a capital', [single({ kind: 'S', ...still })]],
      ['nothing', [single({ units: '0', ...still })]],
      ['less than nothing', [single({ units: '-10', from: ['4', '1010', '200'], to: ['3', '-10', '0'] })]],
      ['a fraction', [single({ units: '0.4', from: ['4', '999.6', '200'], to: ['3', '0.4', '0'] })]],
      ['no number', [single({ units: 'NaN', from: ['4', 'NaN', '200'], to: ['3', 'NaN', '0'] })]],
      ['without end', [single({ units: 'Infinity', from: ['4', '-Infinity', '200'], to: ['3', 'Infinity', '0'] })]],
      [
        '10^38',
        [
          single({
            debit: equity,
            units: `1${'0'.repeat(38)}`,
            from: ['2', `-1${'0'.repeat(34)}1000`, '0'],
            to: ['3', `1${'0'.repeat(38)}`, '0'],
          }),
        ],
      ],
      ['no units', [single({ units: null })]],
      ['no debit', [single({ debit: null })]],
      ['no credit', [single({ credit: null })]],
      ['no code', [single({ code: null })]],
      ['no journal', [single({ journal: null })]],
      ['to itself', [single({ credit: spot, to: ['5', '1000', '200'] })]],
      ['an asset of neither', [single({ asset: 'BTC' })]],
      ['an asset of one side', [single({ credit: coins, to: ['1', '10', '0'] })]],
      ['an account that does not exist', [single({ credit: '999999', to: ['1', '10', '0'] })]],
      ['more than is free', [single({ units: '801', from: ['4', '199', '200'], to: ['3', '801', '0'] })]],
      ['an entry number that skips one', [single({ from: ['5', '990', '200'] })]],
      ['a total that is wrong', [single({ from: ['4', '1000', '200'] })]],
      ['a missing total', [single({ from: ['4', null, '200'] })]],
      [
        'a transfer that was not a hold',
        [
          single({
            kind: 'v',
            resolves: '1',
            debit: equity,
            credit: spot,
            units: '1000',
            held: '1000',
            from: ['2', '-1000', '-1000'],
            to: ['4', '1000', '200'],
          }),
        ],
      ],
      [
        'a hold of the future',
        [
          single({
            kind: 'v',
            resolves: '99',
            units: '100',
            held: '100',
            from: ['4', '1000', '100'],
            to: ['3', '0', '0'],
          }),
        ],
      ],
      [
        'itself',
        [
          single({
            kind: 'v',
            resolves: '4',
            units: '100',
            held: '100',
            from: ['4', '1000', '100'],
            to: ['3', '0', '0'],
          }),
        ],
      ],
      [
        'a hold twice',
        [
          single({
            kind: 'v',
            resolves: '2',
            units: '100',
            held: '100',
            from: ['4', '1000', '100'],
            to: ['3', '0', '0'],
          }),
          single({
            kind: 'v',
            resolves: '2',
            units: '100',
            held: '100',
            from: ['5', '1000', '0'],
            to: ['4', '0', '0'],
          }),
        ],
      ],
      [
        'more than was held',
        [
          single({
            kind: 'p',
            resolves: '2',
            units: '101',
            held: '100',
            from: ['4', '899', '100'],
            to: ['3', '101', '0'],
          }),
        ],
      ],
      [
        'a void of less than the whole hold',
        [
          single({
            kind: 'v',
            resolves: '2',
            units: '99',
            held: '100',
            from: ['4', '1000', '100'],
            to: ['3', '0', '0'],
          }),
        ],
      ],
      [
        'two holds ended by one transfer',
        [
          single({
            kind: 'v',
            resolves: '2',
            units: '100',
            held: '200',
            from: ['4', '1000', '0'],
            to: ['3', '0', '0'],
          }),
        ],
      ],
    ];
    for (const [what, lines] of attempts) await refused(what, () => post(lines));
    await refused('a gap', () => post([single()], '6'));
    await refused('the past', () => post([single()], '3'));
    await expect(
      app.query(
        'SELECT ledger.post($1, $2, $2, $2, $2, $2, $3, $3, $2, $2, $3, $2, $3, $3, $3, $3, $3, $3, $3, $3, $3, $3, $3)',
        [4, null, null],
      ),
    ).rejects.toThrow();
  });

  it('ends open holds, and nothing else', async () => {
    const resolve = (
      kinds: unknown,
      holds: unknown,
      units: unknown,
      chargedTo: string | null = fees,
      code: string | null = '22',
    ) => app.query(RESOLVE, [randomUUID(), 'test.end', 'd', kinds, holds, units, chargedTo, code]);
    const attempts: [string, () => Promise<unknown>][] = [
      ['nothing', () => resolve([], [], [])],
      ['NULL', () => resolve(null, null, null)],
      ['a longer word', () => resolve(['void'], ['2'], [null])],
      ['a longer word for a post', () => resolve(['post'], ['2'], ['100'])],
      ['no kind', () => resolve([null], ['2'], [null])],
      ['no hold', () => resolve(['v'], [null], [null])],
      ['more kinds', () => resolve(['v', 'v'], ['2'], [null])],
      ['more holds', () => resolve(['v'], ['2', '3'], [null])],
      ['two dimensions', () => resolve('{{v,v}}', '{{2,3}}', '{{NULL,NULL}}')],
      ['two by two', () => resolve('{{v,v},{v,v}}', '{{2,3},{2,3}}', '{{NULL,NULL},{NULL,NULL}}')],
      ['twice', () => resolve(['v', 'v'], ['2', '2'], [null, null])],
      ['post and void', () => resolve(['p', 'v'], ['2', '2'], ['50', null])],
      ['no units', () => resolve(['p'], ['2'], [null])],
      ['nothing of it', () => resolve(['p'], ['2'], ['0'])],
      ['less than nothing', () => resolve(['p'], ['2'], ['-1'])],
      ['more than it', () => resolve(['p'], ['2'], ['101'])],
      ['a fraction', () => resolve(['p'], ['2'], ['0.5'])],
      ['no number', () => resolve(['p'], ['2'], ['NaN'])],
      ['without end', () => resolve(['p'], ['2'], ['Infinity'])],
      ['no hold at all', () => resolve(['v'], ['1'], [null])],
      ['a hold with a future sequence', () => resolve(['v'], ['4'], [null])],
      ['a charge without a payment', () => resolve(['s'], ['2'], ['1'])],
      ['a charge to nobody', () => resolve(['p', 's'], ['2', '2'], ['100', '1'], null)],
      ['a charge to an account that does not exist', () => resolve(['p', 's'], ['2', '2'], ['100', '1'], '999999')],
      ['a charge in another asset', () => resolve(['p', 's'], ['2', '2'], ['100', '1'], coins)],
      ['a charge to the account that pays it', () => resolve(['p', 's'], ['2', '2'], ['100', '1'], pool)],
      ['a charge with an unknown purpose', () => resolve(['p', 's'], ['2', '2'], ['100', '1'], fees, null)],
      ['a charge beyond the payment', () => resolve(['p', 's'], ['2', '2'], ['1', '2'])],
      ['a charge before the payment', () => resolve(['s', 'p'], ['2', '2'], ['1', '100'])],
      ['no journal', () => app.query(RESOLVE, [null, 'test.end', 'd', ['v'], ['2'], [null], fees, '22'])],
    ];
    for (const [what, attempt] of attempts) await refused(what, attempt);
  });

  it('leaves no trace, and valid transfers still work', async () => {
    await post([single()]);
    await app.query(RESOLVE, [
      randomUUID(),
      'test.end',
      'd',
      ['v', 'p', 's'],
      ['2', '3', '3'],
      [null, '70', '2'],
      fees,
      '22',
    ]);
    const { rows } = await app.query(
      'SELECT id, debits_held, debits_posted, credits_posted FROM ledger.account WHERE entries > 0',
    );
    expect(
      Object.fromEntries(rows.map((row) => [row.id, [row.debits_held, row.credits_posted - row.debits_posted]])),
    ).toEqual({
      [equity]: ['0', -1000],
      [spot]: ['0', 920],
      [pool]: ['0', 78],
      [fees]: ['0', 2],
    });
    expect(await findViolations(test.checker)).toEqual([]);
  });

  it('cannot halt money without a reason, and cannot resume it', async () => {
    await expect(app.query('SELECT ledger.halt_money(NULL)')).rejects.toThrow();
    await expect(app.query('UPDATE ledger.head SET halted = NULL')).rejects.toThrow(/permission denied/);
  });
});
