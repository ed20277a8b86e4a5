import { createSecretKey, hash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type AssetCode, COIN_CODES, type CoinCode, type Price, parseMoney, parsePrice } from '@sathorn/money';
import { NO_TICK_HASH, tickOf, writeTick } from '@sathorn/proof';
import {
  type ContractRequest,
  type PairRequest,
  readContractTicket,
  readPair,
  readWaitingTicket,
  type TriggerKind,
} from '@sathorn/settlement';
import pg from 'pg';
import { findViolations } from '../../checker/checker/index.ts';
import { fundDemoHouse, giveDemoMoney } from '../../demo/demo/index.ts';
import { type Eligibility, type Ledger, openLedger, spotFundsOf } from '../../ledger/index.ts';
import { eligibilityWithFrozen } from '../../ledger/testing.ts';
import { Bus, type CommandBus, CommandFault, openLocalCommands } from '../../platform/bus/index.ts';
import { openTestDatabase, type TestDatabase } from '../../platform/database/testing.ts';
import { announceTestKey, testSigner } from '../../platform/testing-keys.ts';
import { bookHashOfRows } from './coin-book.ts';
import type { ContractMarket, MarketTick } from './contract-kind.ts';
import { readLiveOrders } from './contract-store.ts';
import type { Contracts, ContractsDependencies } from './contracts.ts';
import { openContracts } from './open-contracts.ts';

export interface ContractsTest {
  readonly test: TestDatabase;
  readonly bus: Bus;
  readonly ledger: Ledger;
  readonly clock: { ms: number; now(): Date };
  readonly frozen: Set<bigint>;
  readonly levels: Map<bigint, number>;
  readonly faults: unknown[];
  readonly eligibility: Eligibility;
  /** The index by coin; a coin without an entry counts as stale. */
  readonly index: Map<CoinCode, Price>;
  readonly market: ContractMarket;
  /** Publishes the next second's tick of a coin with this price, moves the clock to it and the index with it. */
  tick(coin: CoinCode, price: string): Promise<MarketTick>;
  /** Opens the module with a running matcher and empty memory, as after a restart. */
  open(change?: Partial<ContractsDependencies>): Promise<RunningContracts>;
  fund(customer: bigint, asset: AssetCode, amount: string): Promise<void>;
  /** `available+held`, in the wire's format. */
  funds(customer: bigint, asset: AssetCode): Promise<string>;
  violations(): ReturnType<typeof findViolations>;
  close(): Promise<void>;
}

export interface RunningContracts extends Contracts {
  readonly commands: CommandBus;
  /** Places an order; throws if the request is not a valid one. */
  order(customer: bigint, request: ContractRequestText, id?: string): ReturnType<Contracts['place']>;
  /** Places an order that waits; throws if the request is not a valid one. */
  wait(customer: bigint, request: WaitingRequestText, id?: string): ReturnType<Contracts['placeWaiting']>;
  /** Places a limit order with a stop beside it; throws if the request is not a valid one. */
  pair(customer: bigint, request: PairRequestText): ReturnType<Contracts['placePair']>;
  stop(): Promise<void>;
}

interface PairRequestText extends Omit<PairRequest, 'coin' | 'price' | 'triggerPrice' | 'stopPrice'> {
  readonly price: string;
  readonly triggerPrice: string;
  readonly stopPrice?: string;
}

export interface WaitingRequestText extends ContractRequestText {
  readonly trigger: TriggerKind;
  readonly triggerPrice: string;
}

interface ContractRequestText extends Omit<ContractRequest, 'price' | 'amount' | 'coin'> {
  readonly coin?: CoinCode;
  readonly price?: string;
  readonly amount?: string;
}

export const ORDER_KEY_HEX = '0b'.repeat(32);
export const ORDER_KEY = createSecretKey(ORDER_KEY_HEX, 'hex');

const INDEX_KEYS = [{ use: 'index', keyId: testSigner.keyId, publicKeyHex: testSigner.publicKeyHex }] as const;

export async function openContractsTest(): Promise<ContractsTest> {
  const test = await openTestDatabase({ connections: 16 });
  const { database } = test;
  const clock = { ms: Date.parse('2036-12-01T03:00:00.123Z'), now: () => new Date(clock.ms) };
  const bus = new Bus();
  const frozen = new Set<bigint>();
  const eligibility = eligibilityWithFrozen(frozen);
  const ledger = openLedger({ eligibility, database, clock, bus }).api;
  await fundDemoHouse(ledger);
  const levels = new Map<bigint, number>();
  const faults: unknown[] = [];
  const index = new Map<CoinCode, Price>();
  const ticks = new Map<CoinCode, (MarketTick & { readonly hash: string })[]>();
  const market: ContractMarket = {
    environment: 'sim',
    isStale: (coin) => !index.has(coin),
    lastPrice: (coin) => index.get(coin) ?? null,
    lastTick: (coin) => ticks.get(coin)?.at(-1) ?? null,
    firstTickAfter: async (coin, at) => ticks.get(coin)?.find((tick) => tick.at > at) ?? null,
    ticksBetween: async (coin, from, to) => (ticks.get(coin) ?? []).filter(({ at }) => at >= from && at <= to),
  };
  const running: RunningContracts[] = [];

  return {
    test,
    bus,
    ledger,
    clock,
    frozen,
    eligibility,
    levels,
    faults,
    index,
    market,

    async tick(coin, text) {
      const at = (Math.floor(clock.ms / 1_000) + 1) * 1_000;
      const value = parsePrice(text) as Price;
      const known = ticks.get(coin) ?? [];
      const head = known.at(-1);
      const sequence = (head?.sequence ?? 0n) + 1n;
      const used = ['a', 'b', 'c'].map((name) => ({ name, family: 'USDT', price: value, at: at - 300 }));
      const published = tickOf(
        { stale: false, price: value, used, excluded: [], state: new Map() },
        {
          coin,
          sequence,
          at,
          rule: 'families/1',
          environment: 'sim',
          previous: head?.hash ?? NO_TICK_HASH,
          previousPrice: head?.price ?? null,
        },
      );
      const { body, hash: tickHash, signature, key } = testSigner.sign(writeTick(published));
      if (ticks.size === 0) await announceTestKey(test);
      const owner = new pg.Client(test.owner);
      await owner.connect();
      // The test's clock is not the database's.
      await owner.query('UPDATE market.guard SET virtual_clock = true');
      await owner.query(
        `INSERT INTO market.tick (coin, sequence, at, price, environment, jump, body, hash, signature, key)
         VALUES ($1, $2, $3, $4, 'sim', $5, $6, decode($7, 'hex'), decode($8, 'hex'), $9)`,
        [coin, String(sequence), new Date(at), String(value), published.isJump, body, tickHash, signature, key],
      );
      await owner.end();
      const tick = { sequence, at: new Date(at), price: value, hash: tickHash };
      ticks.set(coin, [...known, tick]);
      index.set(coin, value);
      // After the tick, as nothing is accepted in the very millisecond of one.
      clock.ms = at + 123;
      return tick;
    },

    async open(change = {}) {
      const commands = openLocalCommands();
      const contracts = openContracts({
        database,
        ledger,
        clock,
        bus,
        commands,
        market,
        orderKey: ORDER_KEY,
        levelOf: (customer) => levels.get(customer) ?? 0,
        isTurnedByHand: true,
        onFault: (error) => faults.push(error),
        ...change,
      }).api;
      const ending = new AbortController();
      const run = contracts.run(ending.signal);
      const opened: RunningContracts = {
        ...contracts,
        commands,
        order: (customer, request, id = randomUUID()) => {
          const { price, amount, coin = 'BTC', ...said } = request;
          const ticket = readContractTicket({
            ...said,
            coin,
            price: price === undefined ? undefined : parsePrice(price),
            amount: amount === undefined ? undefined : parseMoney('USDT', amount),
          });
          if (!ticket.ok) throw new Error(`no ticket: ${ticket.refusal}`);
          return contracts.place(customer, ticket.effect, { id, digest: hash('sha256', JSON.stringify(request)) });
        },
        wait: (customer, request, id = randomUUID()) => {
          const { price, amount, coin = 'BTC', triggerPrice, ...said } = request;
          const ticket = readWaitingTicket({
            ...said,
            coin,
            price: price === undefined ? undefined : parsePrice(price),
            amount: amount === undefined ? undefined : parseMoney('USDT', amount),
            triggerPrice: parsePrice(triggerPrice) as Price,
          });
          if (!ticket.ok) throw new Error(`no ticket: ${ticket.refusal}`);
          return contracts.placeWaiting(customer, ticket.effect, {
            id,
            digest: hash('sha256', JSON.stringify(request)),
          });
        },
        pair: (customer, { price, triggerPrice, stopPrice, ...said }) => {
          const pair = readPair({
            ...said,
            coin: 'BTC',
            price: parsePrice(price) as Price,
            triggerPrice: parsePrice(triggerPrice) as Price,
            stopPrice: stopPrice === undefined ? undefined : parsePrice(stopPrice),
          });
          if (!pair.ok) throw new Error(`no pair: ${pair.refusal}`);
          const { limit, stop } = pair.effect;
          return contracts.placePair(customer, limit, stop, { id: randomUUID(), digest: randomUUID() });
        },
        stop: async () => {
          ending.abort();
          await run;
        },
      };
      running.push(opened);
      await untilServed(opened, faults);
      return opened;
    },

    async fund(customer, asset, amount) {
      const gift = parseMoney(asset, amount);
      if (gift === undefined) throw new RangeError(amount);
      const given = await giveDemoMoney(
        ledger,
        { to: customer, asset, units: gift.units },
        { id: randomUUID(), digest: 'fund' },
      );
      if (!given.ok) throw new Error(given.refusal);
    },

    async funds(customer, asset) {
      const of = spotFundsOf(await ledger.balances(customer)).get(asset);
      return `${of?.available ?? 0n}+${of?.held ?? 0n}`;
    },

    violations: () => findViolations(test.checker, 'module', INDEX_KEYS, { order: ORDER_KEY_HEX }),

    async close() {
      for (const contracts of running) await contracts.stop();
      await test.close();
    },
  };
}

/** Waits until a matcher, in this or another process, holds each coin's lease and answers. */
async function untilServed(contracts: RunningContracts, faults: readonly unknown[]): Promise<void> {
  for (const coin of COIN_CODES)
    for (;;) {
      const asked = await contracts
        .send({ do: 'revoke', customer: 1n, coin, sequence: 1 }, { id: randomUUID(), digest: 'probe' })
        .catch((error: unknown) => {
          if (!(error instanceof CommandFault)) throw error;
          return null;
        });
      if (asked !== null) break;
      if (faults.length > 0) throw faults[0];
      await pause(5);
    }
}

/** The hash that a coin's book must have, computed from its resting orders in the database. */
export async function readStoredBookHash(test: TestDatabase, coin: CoinCode): Promise<string> {
  return bookHashOfRows(await readLiveOrders(test.database, coin));
}
