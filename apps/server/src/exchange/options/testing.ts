import { randomUUID } from 'node:crypto';
import { COIN_CODES, type CoinCode, type Money, parseMoney } from '@sathorn/money';
import { NO_TICK_HASH, type ProofKey, readTick, tickOf, writeTick } from '@sathorn/proof';
import pg from 'pg';
import { findViolations } from '../../checker/checker/index.ts';
import { fundDemoHandler, fundDemoHouse } from '../../demo/demo/index.ts';
import { type Balance, type Eligibility, type Ledger, openLedger } from '../../ledger/index.ts';
import { eligibilityWithFrozen } from '../../ledger/testing.ts';
import { openMessages } from '../../people/messages/index.ts';
import { Bus } from '../../platform/bus/index.ts';
import { openTestDatabase, type TestDatabase } from '../../platform/database/testing.ts';
import { appendPromises, ed25519Signer, readPromises } from '../../platform/proofs/index.ts';
import { announceTestKey } from '../../platform/testing-keys.ts';
import { MarketView, type OptionMarket, openMarket, ticksForOptions } from '../market/index.ts';
import type { Options, OptionsDependencies } from './index.ts';
import { openOptions } from './index.ts';

export const usdt = (text: string): Money<'USDT'> => {
  const amount = parseMoney('USDT', text);
  if (amount === undefined) throw new RangeError(`${text} is no amount`);
  return amount;
};

/** A clock set by hand. It starts 123 ms after a whole second, so that acceptance and ticks never coincide. */
class ManualClock {
  ms = Date.parse('2036-12-01T03:00:00.123Z');
  now(): Date {
    return new Date(this.ms);
  }
}

export interface OptionsTest {
  readonly clock: ManualClock;
  readonly bus: Bus;
  readonly ledger: Ledger;
  readonly market: OptionMarket;
  readonly frozen: Set<bigint>;
  readonly eligibility: Eligibility;
  readonly faults: unknown[];
  readonly keys: readonly ProofKey[];
  readonly rulesHash: string;
  readonly test: TestDatabase;
  /** Opens the module with empty memory, as after a restart. */
  open(change?: Partial<OptionsDependencies>): Promise<Options>;
  /**
   * Publishes a tick for each whole second in (fromMs, toMs] at which the price (in units) is not null, and moves the
   * clock to `toMs`. A tick for which `lateMsAt` is above 0 says that it was published that late.
   */
  publish(
    coin: CoinCode,
    toMs: number,
    priceAt: (atMs: number) => bigint | null,
    lateMsAt?: (atMs: number) => number,
  ): Promise<void>;
  fund(customer: bigint, amount: string): Promise<void>;
  spot(customer: bigint): Promise<Pick<Balance, 'available' | 'held'>>;
  intent(): { id: string; digest: string };
  /** Runs SQL as the tables' owner, whom grants do not restrict. */
  asOwner<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  asApp<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  violations(of?: 'module' | 'platform'): Promise<unknown>;
  close(): Promise<void>;
}

/** Opens the options module on a new database or a given one, with real ledger, market, messages and signatures. */
export async function openOptionsTest(given?: TestDatabase): Promise<OptionsTest> {
  const test = given ?? (await openTestDatabase());
  const { database } = test;
  const clock = new ManualClock();
  const bus = new Bus();
  const frozen = new Set<bigint>();
  const eligibility = eligibilityWithFrozen(frozen);
  const ledger = openLedger({ eligibility, database, clock, bus }).api;
  const [owner, app] = [connect(test.owner), connect(test.app)];
  // Allows ticks with other times than the database's current time.
  await owner.query('UPDATE market.guard SET virtual_clock = true');
  await fundDemoHouse(ledger);

  const indexSigner = ed25519Signer(Buffer.alloc(32, 1));
  const receiptSigner = ed25519Signer(Buffer.alloc(32, 2));
  const faults: unknown[] = [];
  await announceTestKey(test, indexSigner);
  const opened = (
    await openMarket({
      database,
      publishing: null,
      clock,
      bus,
      // No index runs; the test writes the ticks.
      prices: { kind: 'sim', seed: 'options' },
      onFault: (error) => faults.push(error),
    })
  ).api;
  const view = new MarketView(COIN_CODES, bus, async () => undefined);
  const market: OptionMarket = {
    ...ticksForOptions(opened),
    isStale: (coin, now) => view.isStale(coin, now) || view.isPaused(coin, now),
    newestTickMs: (coin) => view.lastTick(coin)?.at.getTime() ?? null,
  };
  const rulesHash = '5a'.repeat(32);
  const heads = new Map<CoinCode, { sequence: bigint; hash: string; price: bigint; at: number }>();

  /** In a copied database the ticks continue from the last one. */
  const headOf = async (coin: CoinCode) => {
    const { rows } = await owner.query<{ sequence: string; hash: string; price: string; at: Date }>(
      `SELECT sequence, encode(hash, 'hex') AS hash, price, at FROM market.tick WHERE coin = $1 ORDER BY sequence DESC LIMIT 1`,
      [coin],
    );
    const [last] = rows;
    return last && { ...last, sequence: BigInt(last.sequence), price: BigInt(last.price), at: last.at.getTime() };
  };

  return {
    clock,
    bus,
    ledger,
    market,
    frozen,
    eligibility,
    faults,
    rulesHash,
    test,
    keys: [
      { use: 'index', id: indexSigner.keyId, public_key: indexSigner.publicKeyHex },
      { use: 'receipt', id: receiptSigner.keyId, public_key: receiptSigner.publicKeyHex },
    ],

    open: async (change = {}) => {
      const { api } = await openOptions({
        database,
        ledger,
        clock,
        bus,
        market,
        messages: openMessages({
          database,
          bus,
          clock,
          audienceOf: async () => ({ level: 0, joinedAt: new Date(0) }),
          wording: { brandTitle: 'Sathorn', timeZone: 'Asia/Bangkok' },
          onFault: (error) => faults.push(error),
        }).api,
        signer: receiptSigner,
        accountSalt: Buffer.alloc(32, 3),
        rulesHash: () => rulesHash,
        timeZone: 'Asia/Bangkok',
        isSelling: () => true,
        readTickWatermark: async () => clock.ms - 5_000,
        onFault: (error) => faults.push(error),
        ...change,
      });
      return api;
    },

    async publish(coin, toMs, priceAt, lateMsAt = () => 0) {
      const rows: unknown[][] = [];
      let head = heads.get(coin) ?? (await headOf(coin));
      // As the index does it: the first tick names what was promised since the one before.
      const first = Math.floor((head?.at ?? clock.ms) / 1_000) * 1_000 + 1_000;
      const { newest, made } = await readPromises(test.index, first);
      if (made !== null) await appendPromises(test.index, made);
      const link = made ?? newest;
      let named = link === null || link.at <= (head?.at ?? 0) ? null : link.hash;
      for (let at = first; at <= toMs; at += 1_000) {
        const price = priceAt(at);
        if (price === null) continue;
        const used = ['a', 'b', 'c'].map((name) => ({ name, family: 'USDT', price, at: at - 300 }));
        const sequence = (head?.sequence ?? 0n) + 1n;
        const previous = head?.hash ?? NO_TICK_HASH;
        const tick = tickOf(
          { stale: false, price, used, excluded: [], state: new Map() },
          {
            ...{ coin, sequence, at, rule: 'families/1', environment: 'sim', previous },
            previousPrice: head?.price ?? null,
            ...(named !== null && { promises: named }),
            ...(lateMsAt(at) > 0 && { lateMs: lateMsAt(at) }),
          },
        );
        named = null;
        const text = indexSigner.sign(writeTick(tick));
        rows.push([
          coin,
          sequence,
          new Date(at),
          price,
          readTick(text.body)?.isJump,
          text.body,
          text.hash,
          text.signature,
          text.key,
        ]);
        head = { sequence, hash: text.hash, price, at };
      }
      const columns = Array.from({ length: 9 }, (_, column) => rows.map((row) => row[column]));
      await owner.query(
        `INSERT INTO market.tick (coin, sequence, at, price, environment, jump, body, hash, signature, key)
         SELECT coin, sequence, at, price, 'sim', jump, body, decode(hash, 'hex'), decode(signature, 'hex'), key
         FROM unnest($1::text[], $2::bigint[], $3::timestamptz[], $4::bigint[], $5::boolean[], $6::text[], $7::text[], $8::text[], $9::text[])
           AS t(coin, sequence, at, price, jump, body, hash, signature, key) ORDER BY sequence`,
        columns,
      );
      if (head !== undefined) heads.set(coin, head);
      clock.ms = Math.max(clock.ms, toMs);
      await view.catchUp(database, clock.now());
    },

    async fund(customer, amount) {
      const request = { asset: 'USDT', amount };
      const context = {
        request,
        customer: { id: customer, sessionId: 'test' },
        intent: { id: randomUUID(), digest: 'fund' },
      };
      const decision = await fundDemoHandler(ledger).run(context as never);
      if (!decision.ok) throw new Error(decision.refusal);
    },

    async spot(customer) {
      const spot = (await ledger.balances(customer)).find(
        ({ account }) => account.name === 'spot' && account.asset === 'USDT',
      );
      return { available: spot?.available ?? 0n, held: spot?.held ?? 0n };
    },

    intent: () => ({ id: randomUUID(), digest: 'buy' }),
    asOwner: async (text, values) => (await owner.query(text, values)).rows,
    asApp: async (text, values) => (await app.query(text, values)).rows,
    violations: (of) => findViolations(test.checker, of),

    async close() {
      await Promise.all([owner.end(), app.end()]);
      await test.close();
    },
  };
}

/** Opens one connection, which is replaced after the server died. */
function connect(connection: pg.ClientConfig): pg.Pool {
  const pool = new pg.Pool({ ...connection, max: 1 });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
