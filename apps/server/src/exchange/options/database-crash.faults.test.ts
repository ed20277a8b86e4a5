import { setTimeout as pause } from 'node:timers/promises';
import { isOptionReceipt, verifyOptionReceipt } from '@sathorn/proof';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLedger } from '../../ledger/index.ts';
import { type Database, isAnswering, openDatabase, type Queries } from '../../platform/database/index.ts';
import { type OwnCluster, openOwnCluster } from '../../platform/database/testing.ts';
import type { Options } from './index.ts';
import { type OptionsTest, openOptionsTest, usdt } from './testing.ts';

const CUSTOMER = 77n;
const PRICE = 64_000_000_000n;
/** The class id of the advisory locks that make a statement of the settlement wait. */
const GATES = 4_242;

/** Makes a row wait for a lock in the middle of a statement, so that the database can be killed then. */
const GATED = {
  'ledger.journal': 1,
  'ledger.transfer': 2,
  'ledger.account': 3,
  'options.orders': 4,
  'options.exposure': 5,
  /** Waits during the commit, before the application gets its result. */
  commit: 6,
} as const;

type Kill = (
  | { readonly when: 'before' | 'after'; readonly statement: string }
  | { readonly when: 'within'; readonly gate: keyof typeof GATED }
  /** The commit is on disk, but its answer waits for a standby that does not exist. */
  | { readonly when: 'unanswered' }
  | { readonly when: 'answered' }
) & {
  /** How often the settlement is posted: twice if the first posting was lost. */
  readonly posts: number;
};

/** The kills in the order of a settlement's steps. */
const KILLS: readonly Kill[] = [
  { when: 'before', statement: 'options.settle_orders', posts: 1 },
  { when: 'within', gate: 'options.orders', posts: 1 },
  { when: 'after', statement: 'options.settle_orders', posts: 2 },
  { when: 'before', statement: 'ledger.resolve', posts: 2 },
  { when: 'within', gate: 'ledger.journal', posts: 2 },
  { when: 'within', gate: 'ledger.transfer', posts: 2 },
  { when: 'within', gate: 'ledger.account', posts: 2 },
  { when: 'after', statement: 'ledger.resolve', posts: 2 },
  { when: 'within', gate: 'options.exposure', posts: 2 },
  { when: 'after', statement: 'options.lower_exposure', posts: 2 },
  { when: 'within', gate: 'commit', posts: 2 },
  { when: 'unanswered', posts: 1 },
  { when: 'answered', posts: 1 },
];

const nameOf = (kill: Kill): string =>
  [kill.when, 'statement' in kill ? kill.statement : 'gate' in kill ? kill.gate : ''].join(' ').trim();

describe('B1 B2 a database that is killed at any step of a settlement', () => {
  let cluster: OwnCluster;
  let test: OptionsTest;
  let options: Options;

  beforeAll(async () => {
    cluster = await openOwnCluster();
    test = await openOptionsTest(cluster);
    await test.asOwner(`
      CREATE SCHEMA gates;
      CREATE FUNCTION gates.pass() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_advisory_xact_lock_shared(${GATES}, TG_ARGV[0]::int); RETURN coalesce(NEW, OLD); END $$;
      ${Object.entries(GATED)
        .map(([table, gate]) =>
          table === 'commit'
            ? `CREATE CONSTRAINT TRIGGER gate_at_commit AFTER UPDATE ON options.orders DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION gates.pass(${gate});`
            : `CREATE TRIGGER gate BEFORE ${table === 'ledger.journal' || table === 'ledger.transfer' ? 'INSERT' : 'UPDATE'} ON ${table} FOR EACH ROW EXECUTE FUNCTION gates.pass(${gate});`,
        )
        .join('\n')}`);
    options = await test.open();
    await test.publish('BTC', test.clock.ms + 2_000, () => PRICE);
    await test.fund(CUSTOMER, '100000');
  });
  afterAll(async () => {
    await test.close();
  });

  /** Buys a win, a loss, a tie and a void; resolves when they are due. */
  const buyAndExpire = async (): Promise<string[]> => {
    const buy = async (direction: 'up' | 'down', seconds: number): Promise<string> => {
      const decision = await options.buy(
        { customer: CUSTOMER, coin: 'BTC', direction, stake: usdt('10'), seconds },
        test.intent(),
      );
      if (!decision.ok) throw new Error(decision.refusal);
      return decision.effect.id;
    };
    const begin = test.clock.ms;
    const ids = [await buy('up', 30), await buy('down', 30), await buy('up', 60), await buy('up', 120)];
    // The price rises by a dollar for a while, and no ticks arrive around the 120th second.
    await test.publish('BTC', begin + 130_000, (at) =>
      at > begin + 110_000 && at < begin + 126_000
        ? null
        : PRICE + (at > begin + 20_000 && at < begin + 50_000 ? 1_000_000n : 0n),
    );
    return ids;
  };

  /** Kills the database when one of these statements is about to be sent, or has been answered. */
  const killing = (database: Database, kill: Kill, said: string[], onKill: () => void): Database => {
    let isArmed = true;
    const die = (): void => {
      if (isArmed) onKill();
      isArmed = false;
    };
    const dieAt = (when: Kill['when'], statement: string): void => {
      if (kill.when === when && 'statement' in kill && kill.statement === statement) die();
    };
    const watched = <Asked extends Queries>(asked: Asked): Asked => ({
      ...asked,
      async query(statement, values) {
        said.push(statement.name);
        dieAt('before', statement.name);
        const rows = await asked.query(statement, values);
        dieAt('after', statement.name);
        return rows as never;
      },
    });
    return {
      ...watched(database),
      async transaction(work) {
        const result = await database.transaction((transaction) => work(watched(transaction)));
        if (kill.when === 'answered') die();
        return result;
      },
    };
  };

  /** Polls until a backend of the application waits for that event, because the database sends no notification. */
  const untilWaiting = async (control: pg.Client, event: string): Promise<void> => {
    const asked = `SELECT 1 FROM pg_stat_activity WHERE usename = 'sathorn_app' AND wait_event = $1`;
    while ((await control.query(asked, [event])).rowCount === 0) await pause(5);
  };

  /** Runs a settler that restarts its work like the platform's, and kills the database once at the given step. */
  const settleAndKill = async (kill: Kill): Promise<void> => {
    const database = openDatabase(cluster.app, { connections: 4 });
    const control = new pg.Client(cluster.owner);
    control.on('error', () => undefined);
    await control.connect();
    const said: string[] = [];
    let kills = 0;
    const die = (): void => {
      kills += 1;
      cluster.kill();
    };
    if (kill.when === 'within') await control.query('SELECT pg_advisory_lock($1, $2)', [GATES, GATED[kill.gate]]);
    if (kill.when === 'unanswered') {
      await control.query("ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
      await control.query('SELECT pg_reload_conf()');
    }

    const watched = killing(database, kill, said, die);
    const ledger = openLedger({
      eligibility: test.eligibility,
      database: watched,
      clock: test.clock,
      bus: test.bus,
    }).api;
    const settler = await test.open({ database: watched, ledger, onFault: () => undefined });
    const settled = (async () => {
      for (;;) {
        try {
          await settler.settleDue();
          return;
        } catch {
          await pause(20);
        }
      }
    })();
    if (kill.when === 'within') {
      await untilWaiting(control, 'advisory');
      die();
    }
    if (kill.when === 'unanswered') {
      await untilWaiting(control, 'SyncRep');
      // Takes effect at the next start of the server; the current one no longer reads settings.
      await control.query('ALTER SYSTEM RESET synchronous_standby_names');
      die();
    }
    await settled;
    expect(kills).toBe(1);
    expect(said.filter((name) => name === 'ledger.resolve')).toHaveLength(kill.posts);
    await control.end().catch(() => undefined);
    await database.close();
  };

  it.each(KILLS.map((kill) => [nameOf(kill), kill] as const))('%s', async (_name, kill) => {
    const { available } = await test.spot(CUSTOMER);
    const ids = await buyAndExpire();
    await settleAndKill(kill);
    while (!(await isAnswering(cluster.database))) await pause(20);
    // A new settler without memory finds nothing left to settle.
    expect(await (await test.open()).settleDue()).toBe(0);

    const orders = await Promise.all(
      ids.map(async (id) => {
        const decision = await options.read(CUSTOMER, id);
        if (!decision.ok) throw new Error(decision.refusal);
        return decision.effect;
      }),
    );
    expect(orders.map(({ status, profit, fee }) => [status, profit, fee])).toEqual([
      ['won', '7.500000', '0.150000'],
      ['lost', '-10.000000', '0.000000'],
      ['tie', '0.000000', '0.000000'],
      ['void', '0.000000', '0.000000'],
    ]);
    expect(await test.spot(CUSTOMER)).toEqual({
      available: available + usdt('7.35').units - usdt('10').units,
      held: 0n,
    });
    for (const { receipt } of orders) {
      const sent: unknown = JSON.parse(JSON.stringify(receipt));
      if (!isOptionReceipt(sent)) throw new Error('not a receipt');
      expect(await verifyOptionReceipt(sent, test.keys, { rulesHash: test.rulesHash })).toMatchObject({
        verified: true,
      });
    }
    // The settlement was committed, but the settler never got the answer; the customer must still be notified.
    if (kill.when === 'unanswered') {
      const told = `SELECT count(*)::int FROM messages.message WHERE owner = $1 AND template = 'option_void'`;
      expect(await test.asApp(told, [CUSTOMER])).toEqual([{ count: KILLS.indexOf(kill) + 1 }]);
    }
    expect(await test.violations()).toEqual([]);
  });
});
