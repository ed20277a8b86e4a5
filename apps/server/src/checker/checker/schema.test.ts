import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../platform/database/testing.ts';
import type { Violation } from './run-invariants.ts';
import { compareSchema, describeSchema, SCHEMA_FINGERPRINT_FILE, SchemaInspector } from './schema.ts';

/** Changes that each weaken what the database refuses but leave every row unchanged. */
const CHANGES: readonly [what: string, subject: string, statement: string][] = [
  [
    'a trigger’s function that does nothing',
    'function market.link_tick() is changed',
    `CREATE OR REPLACE FUNCTION market.link_tick() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = market, pg_temp AS 'BEGIN RETURN NEW; END'`,
  ],
  [
    'a halt that halts nothing',
    'function ledger.halt_money(_reason text) is changed',
    `CREATE OR REPLACE FUNCTION ledger.halt_money(_reason text) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = ledger, pg_temp AS ''`,
  ],
  [
    'a function of others',
    'function ledger.mint() is new',
    `CREATE FUNCTION ledger.mint() RETURNS void LANGUAGE sql AS ''`,
  ],
  ['settings of a function', 'function ledger.post(', 'ALTER FUNCTION ledger.post SECURITY INVOKER'],
  [
    'a function for everybody',
    'function ledger.pay_in_capital(',
    'GRANT EXECUTE ON FUNCTION ledger.pay_in_capital TO PUBLIC',
  ],
  [
    'a trigger that is off',
    'trigger append_only on ledger.transfer is changed',
    'ALTER TABLE ledger.transfer DISABLE TRIGGER append_only',
  ],
  [
    'a trigger that is gone',
    'trigger check_settlement on options.orders is gone',
    'DROP TRIGGER check_settlement ON options.orders',
  ],
  [
    'a trigger more',
    'trigger quiet on options.orders is new',
    `CREATE FUNCTION public.quiet() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'; CREATE TRIGGER quiet BEFORE INSERT ON options.orders FOR EACH ROW EXECUTE FUNCTION public.quiet()`,
  ],
  [
    'a constraint that is gone',
    'constraint no_overdraft_c on ledger.account is gone',
    'ALTER TABLE ledger.account DROP CONSTRAINT no_overdraft_c',
  ],
  [
    'a constraint more',
    'constraint never on options.dispute is new',
    'ALTER TABLE options.dispute ADD CONSTRAINT never CHECK (false) NOT VALID',
  ],
  [
    'an index that is gone',
    'index ledger.transfer_one_resolution on ledger.transfer is gone',
    'DROP INDEX ledger.transfer_one_resolution',
  ],
  ['a right more', 'table proofs.key is changed', 'GRANT UPDATE ON proofs.key TO sathorn_app'],
  [
    'a right to a column',
    'table ledger.account is changed',
    'GRANT UPDATE (credits_posted) ON ledger.account TO sathorn_app',
  ],
  ['rows that nobody sees', 'table ledger.halt is changed', 'ALTER TABLE ledger.halt ENABLE ROW LEVEL SECURITY'],
  [
    'a rule of rewriting',
    'rule nothing on ledger.halt is new',
    'CREATE RULE nothing AS ON INSERT TO ledger.halt DO INSTEAD NOTHING',
  ],
  ['a column more', 'table options.orders is changed', 'ALTER TABLE options.orders ADD COLUMN favour boolean'],
  [
    'a default',
    'table ledger.transfer is changed',
    `ALTER TABLE ledger.transfer ALTER COLUMN at SET DEFAULT '2026-01-01'`,
  ],
  ['a clock that anybody may turn', 'rows of market.guard is changed', 'UPDATE market.guard SET virtual_clock = true'],
  [
    'a purpose that nobody decided',
    'rows of ledger.purpose is changed',
    `INSERT INTO ledger.purpose VALUES (9, '{s}', '{100}', '{1000}', NULL, 'app', false)`,
  ],
  [
    'a migration that is another',
    'migration 0001 is changed',
    `UPDATE public.migration SET hash = 'x' WHERE number = 1`,
  ],
];

describe('the database beside its migrations', () => {
  let test: TestDatabase;
  let owner: pg.Client;
  let checker: pg.Client;
  const inspector = new SchemaInspector();
  beforeEach(async () => {
    expect(await inspector.inspect(checker, false)).toEqual([]);
  });
  beforeAll(async () => {
    test = await openTestDatabase();
    owner = new pg.Client(test.owner);
    checker = new pg.Client(test.checker);
    await Promise.all([owner.connect(), checker.connect()]);
  });
  afterAll(async () => {
    await Promise.all([owner.end(), checker.end()]);
    await test.close();
  });

  it('has the fingerprint, as older databases do; after a new migration `npm run schema` updates it', async () => {
    expect(await describeSchema(checker)).toEqual(JSON.parse(readFileSync(SCHEMA_FINGERPRINT_FILE, 'utf8')));
    expect(await compareSchema(checker)).toEqual([]);
  });

  it.each(CHANGES)('is distinguished from one with %s', async (_what, subject, statement) => {
    await owner.query(`BEGIN; ${statement}`);
    const [violation] = await nextRound(inspector, owner);
    await owner.query('ROLLBACK');
    expect(violation?.invariant).toBe('G3');
    expect(
      violation?.subjects.some((found) => found.startsWith(subject)),
      violation?.subjects.join(),
    ).toBe(true);
  });

  it('is distinguished from one whose roles have more rights', async () => {
    await owner.query('BEGIN; ALTER ROLE sathorn_app BYPASSRLS');
    const [violation] = await nextRound(inspector, owner);
    await owner.query('ROLLBACK');
    expect(violation?.subjects).toEqual([expect.stringMatching(/^role sathorn_app is changed/)]);
  });

  it('is not judged if a newer version has migrated it, and money continues to move', async () => {
    await owner.query(`INSERT INTO public.migration (number, name, hash) VALUES (9999, '9999-later.sql', 'x')`);
    expect(await compareSchema(checker)).toMatchObject([
      { invariant: 'G4', isHalting: false, subjects: ['migration 9999'] },
    ]);
  });
});

/** Runs a round after one without findings, within the transaction that made the change. */
function nextRound(inspector: SchemaInspector, client: pg.Client): Promise<readonly Violation[]> {
  const within = new Proxy(client, {
    get: (target, name) =>
      name !== 'query'
        ? Reflect.get(target, name)
        : (text: string, values?: unknown[]) =>
            /^(BEGIN|ROLLBACK)/.test(text) ? Promise.resolve() : target.query(text, values),
  });
  return inspector.inspect(within, false);
}
