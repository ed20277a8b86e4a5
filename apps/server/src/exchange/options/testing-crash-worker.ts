/**
 * A settler process that dies: it settles what is due in the given database and is killed (SIGKILL) at its nth message
 * to the database.
 */
import pg from 'pg';
import { openLedger } from '../../ledger/index.ts';
import { Bus } from '../../platform/bus/index.ts';
import { connectionOf, openDatabase } from '../../platform/database/index.ts';
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
  // When `query` of a connected client returns, the kernel has the bytes, but the database may not have acted on them.
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
    // No index runs, because the ticks already exist.
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
