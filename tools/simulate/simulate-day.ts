import { hash } from 'node:crypto';
import {
  COINS,
  type CoinCode,
  formatMoney,
  formatPrice,
  lotUnits,
  money,
  type Price,
  parseMoney,
  parsePrice,
  priceStepUnits,
  scaleOf,
} from '@sathorn/money';
import { watchViolations } from '@sathorn/server/checker';
import type { TestDatabase } from '@sathorn/server/database/testing';
import { giveDemoMoney } from '@sathorn/server/demo';
import type { Options } from '@sathorn/server/options';
import { openOptionsTest } from '@sathorn/server/options/testing';
import { readContractTicket } from '@sathorn/settlement';
import { openSimulatedMatching, type SimulatedMatching } from './open-matching.ts';
import { PriceWalk } from './prices.ts';
import { RandomDraws } from './random-draws.ts';

const STARTS: Readonly<Partial<Record<CoinCode, bigint>>> = {
  BTC: 64_000_000_000n,
  ETH: 3_100_000_000n,
  DOGE: 160_000n,
};
const TRADED = Object.keys(STARTS) as CoinCode[];
/** The longest step in seconds. The average is half of it, so 720 steps are a day. */
const STEP_SECONDS_MAX = 240;
/** The server does not offer the last of these durations, so the simulation also tests its refusal. */
const DURATIONS = [30, 30, 60, 60, 120, 180, 300, 45];
const STAKES = ['1', '5', '7.123456', '10', '100', '2500', '0.5', '9999999'];

interface DayOptions {
  readonly seed: string;
  readonly steps: number;
  readonly customers: number;
  /** Called after each step. */
  readonly onStep?: (step: number) => void | Promise<void>;
}

export interface SimulatedDay {
  /** The number of times that each action got each answer. */
  readonly counts: ReadonlyMap<string, number>;
  /** The hash of all balances, orders and trades at the end: equal for equal seeds. */
  readonly digest: string;
}

export class BrokenDayError extends Error {
  constructor(seed: string, step: number, did: readonly string[], found: unknown) {
    super(
      `step ${step} of seed ${seed} broke an invariant: ${JSON.stringify(found)}\nIt did: ${did.join('; ')}\nThe same day again: npm run simulate -- --seed ${seed} --steps ${step + 1}`,
    );
  }
}

/** A command's decision. The same command with the same id must get the same decision again. */
interface Said {
  readonly again: () => Promise<unknown>;
  readonly answer: string;
}

/**
 * Simulates a day: customers buy options, place and revoke contract orders and repeat commands, and the server
 * restarts. The clock jumps from step to step; prices are a random walk with gaps. Throws if an invariant of the
 * checker is violated after a step. Commands run one after the other, so that a seed replays exactly.
 */
export async function simulateDay(
  database: TestDatabase,
  { seed, steps, customers, onStep }: DayOptions,
): Promise<SimulatedDay> {
  const draws = new RandomDraws(seed);
  const world = await openOptionsTest(database);
  const watch = await watchViolations(database.checker);
  const walks = TRADED.map((coin) => new PriceWalk(coin, STARTS[coin] ?? 0n, new RandomDraws(`${seed} ${coin}`)));
  const priceOf = (coin: CoinCode): Price | null =>
    (walks.find((walk) => walk.coin === coin)?.price ?? null) as Price | null;
  const counts = new Map<string, number>();
  const said: Said[] = [];
  const orders: { readonly by: bigint; readonly id: string }[] = [];
  let options: Options = await world.open();
  let contracts: SimulatedMatching = await openSimulatedMatching(world, priceOf);
  let did: string[] = [];

  const intent = () => ({ id: draws.uuid(), digest: 'simulated' });
  const customer = (): bigint => BigInt(1 + draws.below(customers));
  const note = (what: string, answer: { readonly ok: boolean; readonly refusal?: string }): void => {
    const line = `${what}: ${answer.ok ? 'accepted' : answer.refusal}`;
    counts.set(line, (counts.get(line) ?? 0) + 1);
    did.push(line);
  };

  const buyOption = async (): Promise<void> => {
    const stake = parseMoney('USDT', draws.one(STAKES));
    if (stake === undefined) throw new RangeError('a stake is no amount');
    const command = {
      customer: customer(),
      coin: draws.one(TRADED),
      direction: draws.one(['up', 'down'] as const),
      stake,
      seconds: draws.one(DURATIONS),
    };
    const by = intent();
    const again = () => options.buy(command, by);
    const answer = await again();
    note('option', answer);
    said.push({ again, answer: textOf(answer) });
  };

  const placeOrder = async (): Promise<void> => {
    const walk = draws.one(walks);
    const { coin } = walk;
    const { priceDecimals } = COINS[coin];
    const side = draws.one(['buy', 'sell'] as const);
    const type = draws.one(['limit', 'limit', 'limit', 'market'] as const);
    const away = BigInt(draws.below(200) - 100);
    const limit = walk.price + (walk.price * away) / 10_000n;
    const price = formatPrice((limit - (limit % priceStepUnits(coin))) as Price, priceDecimals);
    // The coins are worth 1 to 2,000 USDT.
    const worth = BigInt(1 + draws.below(2_000)) * 1_000_000n;
    const units = (worth * 10n ** BigInt(scaleOf(coin))) / walk.price;
    const quantity = formatMoney(money(coin, units - (units % lotUnits(coin))));
    const ticket = readContractTicket({
      coin,
      side,
      type,
      price: type === 'limit' ? parsePrice(price) : undefined,
      quantity,
      timeInForce: type === 'limit' ? draws.one(['GTC', 'GTC', 'GTC', 'IOC', 'FOK'] as const) : undefined,
      postOnly: type === 'limit' && draws.below(8) === 0,
    });
    if (!ticket.ok) return note('ticket', ticket);
    const [who, by] = [customer(), intent()];
    const again = () => contracts.place(who, ticket.effect, by);
    const answer = await again();
    note(`${type} order`, answer);
    said.push({ again, answer: textOf(answer) });
    if (answer.ok) orders.push({ by: who, id: answer.effect.id });
  };

  const actions: readonly [times: number, act: () => Promise<void>][] = [
    [30, buyOption],
    [40, placeOrder],
    [
      12,
      async () => {
        const last = orders.slice(-30);
        if (last.length === 0) return;
        const { by, id } = draws.one(last);
        // Sometimes another customer tries to revoke it.
        note('revoke', await contracts.revoke(draws.below(8) === 0 ? customer() : by, id, intent()));
      },
    ],
    [2, async () => note('revoke all', await contracts.revokeAll(customer(), draws.one([null, ...TRADED]), intent()))],
    [
      6,
      async () => {
        const asset = draws.one(['USDT', 'USDT', ...TRADED] as const);
        const units = (parseMoney(asset, asset === 'USDT' ? '5000' : '2') ?? money(asset, 0n)).units;
        note('gift', await giveDemoMoney(world.ledger, { to: customer(), asset, units }, intent()));
      },
    ],
    [
      8,
      async () => {
        const last = said.slice(-200);
        if (last.length === 0) return;
        const { again, answer } = draws.one(last);
        const repeated = textOf(await again());
        note('sent again', { ok: repeated === answer, refusal: `was ${answer}, is ${repeated}` });
        if (repeated !== answer)
          throw new BrokenDayError(seed, step, did, 'a command that was sent again got another answer');
      },
    ],
    [
      1,
      async () => {
        await contracts.stop();
        [options, contracts] = [await world.open(), await openSimulatedMatching(world, priceOf)];
        note('restart', { ok: true });
      },
    ],
  ];
  const wheel = actions.flatMap(([times, act]) => Array<() => Promise<void>>(times).fill(act));

  const passTime = async (seconds: number): Promise<void> => {
    const toMs = Math.floor(world.clock.ms / 1_000 + seconds) * 1_000;
    for (const walk of walks) await world.publish(walk.coin, toMs, () => walk.next());
    world.clock.ms = toMs + draws.below(900);
    const settled = await options.settleDue();
    if (settled > 0) counts.set('options settled', (counts.get('options settled') ?? 0) + settled);
  };

  let step = 0;
  try {
    // A coin's first tick is for the second after the clock's current one.
    for (const walk of walks)
      await world.publish(walk.coin, Math.floor(world.clock.ms / 1_000 + 1) * 1_000, () => walk.price);
    for (let who = 1n; who <= BigInt(customers); who++) {
      for (const asset of ['USDT', ...TRADED] as const) {
        const units = (parseMoney(asset, asset === 'USDT' ? '10000' : '5') ?? money(asset, 0n)).units;
        await giveDemoMoney(world.ledger, { to: who, asset, units }, intent());
      }
    }
    for (; step < steps; step++) {
      did = [];
      await passTime(1 + draws.below(STEP_SECONDS_MAX));
      for (let acts = draws.below(12); acts > 0; acts--) await draws.one(wheel)();
      if (world.faults.length > 0) throw new BrokenDayError(seed, step, did, String(world.faults[0]));
      const violations = await watch.look();
      if (violations.length > 0) throw new BrokenDayError(seed, step, did, violations);
      await onStep?.(step);
    }
    // Lets all open options end, and then checks the whole history once.
    did = ['the end of the day'];
    await passTime(400);
    await passTime(400);
    const violations = await world.violations();
    if (Array.isArray(violations) && violations.length > 0) throw new BrokenDayError(seed, step, did, violations);
    return { counts, digest: await digestOf(world.asOwner) };
  } finally {
    await contracts.stop();
    await watch.close();
    await world.close();
  }
}

/** An answer's text with its fields in a fixed order. */
const textOf = (answer: unknown): string =>
  JSON.stringify(answer, (_key, value: unknown) => {
    if (typeof value === 'bigint') return String(value);
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  });

/** Reads the final state without columns that contain times of the database's own clock. */
const KEPT = [
  'SELECT owner, code, asset, debits_posted, credits_posted, debits_held, credits_held, entries FROM ledger.account ORDER BY owner, code, asset',
  'SELECT id, customer_id, coin, direction, stake, accepted_ms, ends_ms, status, reason, start_price, end_price, profit, fee FROM options.orders ORDER BY id',
  'SELECT coin, sequence, customer_id, side, price, quantity, reason FROM contracts.orders ORDER BY coin, sequence',
  'SELECT coin, number, price, quantity, taker_sequence, maker_sequence FROM contracts.trade ORDER BY coin, number',
];

async function digestOf(read: (text: string) => Promise<object[]>): Promise<string> {
  let text = '';
  for (const query of KEPT) text += `${JSON.stringify(await read(query))}\n`;
  return hash('sha256', text);
}
