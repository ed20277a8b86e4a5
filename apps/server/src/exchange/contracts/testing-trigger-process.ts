/**
 * A matcher in a process of its own that a test kills. It reads ticks as a deployed one does, and takes the test's
 * database and time from its environment.
 */
import { createSecretKey } from 'node:crypto';
import { openLedger } from '../../ledger/index.ts';
import { Bus, openLocalCommands } from '../../platform/bus/index.ts';
import { type Connection, openDatabase } from '../../platform/database/index.ts';
import { openMarket } from '../market/index.ts';
import { openContracts } from './open-contracts.ts';

const said = JSON.parse(process.env.TRIGGER_PROCESS ?? '{}') as {
  readonly app: Connection;
  readonly nowMs: number;
  readonly orderKey: string;
};
const database = openDatabase(said.app, { connections: 24 });
const bus = new Bus();
const clock = { now: () => new Date(said.nowMs) };
const onFault = (error: unknown): void => console.error(error);
const ending = new AbortController();
const market = (
  await openMarket({ database, publishing: null, clock, bus, prices: { kind: 'sim', seed: 'trigger' }, onFault })
).api;
const contracts = openContracts({
  database,
  ledger: openLedger({ eligibility: null, database, clock, bus }).api,
  clock,
  bus,
  commands: openLocalCommands(),
  market: {
    environment: 'sim',
    isStale: () => false,
    // Without an index the house quotes nothing, so what is triggered meets nobody.
    lastPrice: () => null,
    lastTick: (coin) => market.lastTick(coin),
    firstTickAfter: (coin, at) => market.firstTickAfter(coin, at),
    ticksBetween: (coin, from, to) => market.ticksBetween(coin, from, to),
  },
  orderKey: createSecretKey(said.orderKey, 'hex'),
  levelOf: () => 0,
  onFault,
}).api;
void market.follow(ending.signal);
void contracts.run(ending.signal);
console.log('started');
