/**
 * A settler that dies: settles what is due in the given database, and is killed (SIGKILL) at the n-th thing that it
 * says to the database.
 */
import pg from 'pg';
import { Bus } from '../bus/index.ts';
import { connectionOf, openDatabase } from '../database/index.ts';
import { openLedger } from '../ledger/index.ts';
import { openMarket, ticksForOptions } from '../market/index.ts';
import { openSettler } from './settle-options.ts';

const [url = '', clockMs = '', at = '', phase = ''] = process.argv.slice(2);
const clock = { now: () => new Date(Number(clockMs)) };
const die = (): void => void process.kill(process.pid, 'SIGKILL');

let isArmed = false;
let said = 0;
const query = pg.Client.prototype.query as (...parameters: unknown[]) => unknown;
pg.Client.prototype.query = function killing(this: pg.Client, ...parameters: unknown[]): unknown {
  if (!isArmed) return query.apply(this, parameters);
  said += 1;
  const isMine = said === Number(at);
  if (isMine && phase === 'before') die();
  const answer = query.apply(this, parameters);
  // The bytes are with the kernel when `query` of a connected client returns; whether they are acted on is the
  // database's affair.
  if (isMine && phase === 'sent') die();
  if (isMine && phase === 'after' && answer instanceof Promise) return answer.finally(die);
  return answer;
} as typeof pg.Client.prototype.query;

const database = openDatabase(connectionOf(url));
const bus = new Bus();
const market = (
  await openMarket({
    database,
    publishing: null,
    clock,
    bus,
    // Nothing publishes by itself: the ticks are there already.
    prices: { kind: 'sim', seed: 'options' },
    onFault: (error) => {
      throw error;
    },
  })
).api;
const settler = openSettler({
  database,
  ledger: openLedger({ eligibility: null, database, clock, bus }).api,
  bus,
  market: ticksForOptions(market),
  messages: { send: async () => undefined },
  clock,
  readTickWatermark: async () => Number(clockMs) - 5_000,
  onFault: (error) => {
    throw error;
  },
});
isArmed = true;
await settler.settleDue();
isArmed = false;
await database.close();
