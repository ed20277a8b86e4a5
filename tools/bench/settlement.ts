import { randomUUID } from 'node:crypto';
import { money } from '@sathorn/money';
import { Bus } from '@sathorn/server/bus';
import {
  type AccountKey,
  customerAccount,
  HOUSE_OWNER,
  houseAccount,
  type JournalKind,
  openLedger,
} from '@sathorn/server/ledger';
import { openOptions } from '@sathorn/server/options';
import { ed25519Signer } from '@sathorn/server/proofs';
import { accept } from '@sathorn/settlement';
import { type BenchCluster, openBenchCluster } from './bench-cluster.ts';
import { type BenchFigure, perSecond } from './figure.ts';
import { runGroupedTransfers } from './plain-transfers.ts';

const ORDERS = 100_000;
const CUSTOMERS = 2_000;
const COINS = ['BTC', 'ETH', 'BNB', 'SOL', 'XRP', 'DOGE', 'ADA', 'TRX'] as const;

const [EQUITY, FUND] = [houseAccount('equity', 'USDT'), houseAccount('demo_fund', 'USDT')];

/** Pays the house from its equity, or customers from the fund of test money. */
const gift: JournalKind<{ to: AccountKey; units: bigint }, null, never> = {
  name: 'bench.gift',
  customer: () => null,
  accounts: ({ to }) => [to.owner === HOUSE_OWNER ? EQUITY : FUND, to],
  decide: ({ to, units }) =>
    accept({
      transfers: [
        to.owner === HOUSE_OWNER
          ? { kind: 'single', debit: EQUITY, credit: to, units, code: 'demo_funding' }
          : { kind: 'single', debit: FUND, credit: to, units, code: 'demo_money' },
      ],
      answer: null,
    }),
};

/** Reports each process's CPU time since now, which is more reliable than elapsed time on a shared machine. */
function cpuMeter(cluster: BenchCluster): (orders: number) => string {
  const ours = process.cpuUsage();
  const database = cluster.cpuMs();
  return (orders) => {
    const { user, system } = process.cpuUsage(ours);
    const per = (ms: number): string => (ms / (orders / 1_000)).toFixed(0);
    return `CPU per 1,000: ours ${per((user + system) / 1_000)} ms, the database's ${per(cluster.cpuMs() - database)} ms`;
  };
}

/** Measures orders that expire in the same second: bought, then settled from stored ticks, all durable. */
export async function benchSettlement(): Promise<BenchFigure[]> {
  const cluster = await openBenchCluster();
  const { database } = cluster;
  const start = Math.floor(Date.now() / 1000) * 1000 + 123;
  let ms = start;
  const clock = { now: () => new Date(ms) };
  const bus = new Bus();
  const ledger = openLedger({ eligibility: null, database, clock, bus }).api;
  const give = (to: AccountKey, units: bigint) =>
    ledger.post(gift, { to, units }, { id: randomUUID(), digest: 'bench' });
  await give(houseAccount('options_pool', 'USDT'), 10n ** 15n);
  await give(FUND, 10n ** 16n);
  await Promise.all(
    Array.from({ length: CUSTOMERS }, (_, n) => give(customerAccount(BigInt(n + 1), 'USDT'), 10n ** 12n)),
  );

  // Generates ticks here, because the bench measures the settlement and not the index.
  const sequence = (atMs: number): number => atMs / 1000 - Math.floor(start / 1000) + 1;
  const price = (atMs: number): bigint => 100_000_000n + BigInt(Math.floor((atMs - start) / 1000)) * 100_000n;
  const options = (
    await openOptions({
      database,
      ledger,
      clock,
      bus,
      market: {
        origin: 'sim',
        isStale: () => false,
        newestTickMs: () => ms,
        readNewestTickMs: async () => new Map(),
        ticksBetween: async (_coin, from, to) => {
          const ticks = [];
          for (let at = Math.ceil(from / 1000) * 1000; at <= to; at += 1000)
            ticks.push({ sequence: BigInt(sequence(at)), atMs: at, price: price(at) as never });
          return ticks;
        },
        stepTicksBetween: async () => [],
        textOf: async () => null,
        lastTickAtOrBefore: async () => null,
        firstTickAfter: async () => null,
        promiseOf: async () => null,
      },
      messages: { send: async () => undefined },
      signer: ed25519Signer(Buffer.alloc(32, 2)),
      accountSalt: Buffer.alloc(32, 3),
      rulesHash: () => '5a'.repeat(32),
      timeZone: 'Asia/Bangkok',
      isSelling: () => true,
      readTickWatermark: async () => ms - 5_000,
      onFault: (error) => {
        throw error;
      },
    })
  ).api;
  const pg = await import('pg');
  const owner = new pg.default.Client(cluster.owner);
  await owner.connect();
  // The database checks each settlement against stored ticks, so they must exist.
  await owner.query(
    'UPDATE market.guard SET virtual_clock = true; ALTER TABLE market.tick DISABLE TRIGGER ALL; ALTER TABLE market.tick DROP CONSTRAINT hash_of_body',
  );
  for (const coin of COINS) {
    for (let at = Math.floor(start / 1000) * 1000; at <= start + 40_000; at += 1000) {
      await owner.query(
        `INSERT INTO market.tick (coin, sequence, at, price, environment, jump, body, hash, signature, key) VALUES ($1, $2, $3, $4, 'sim', false, '', '', decode(repeat('00', 64), 'hex'), '0')`,
        [coin, sequence(at), new Date(at), String(price(at))],
      );
    }
  }
  await owner.end();

  const buyOne = (n: number) =>
    options.buy(
      {
        customer: BigInt(1 + (n % CUSTOMERS)),
        coin: COINS[n % COINS.length] ?? 'BTC',
        direction: n % 3 ? 'up' : 'down',
        stake: money('USDT', 1_000_000n),
        seconds: 30,
      },
      { id: randomUUID(), digest: 'bench' },
    );
  const ofPurchase = cpuMeter(cluster);
  const begin = performance.now();
  for (let done = 0; done < ORDERS; done += 5_000) {
    for (const decision of await Promise.all(Array.from({ length: 5_000 }, (_, n) => buyOne(done + n))))
      if (!decision.ok) throw new Error(decision.refusal);
  }
  const bought = ORDERS / ((performance.now() - begin) / 1000);
  const purchaseCpu = ofPurchase(ORDERS);

  ms = start + 32_000;
  const ofSettlement = cpuMeter(cluster);
  const due = performance.now();
  const settled = await options.settleDue();
  if (settled !== ORDERS) throw new Error(`${settled} of ${ORDERS} orders were settled`);
  const seconds = (performance.now() - due) / 1000;
  const settlementCpu = ofSettlement(ORDERS);
  const grouped = await runGroupedTransfers(cluster.owner, CUSTOMERS, 500, 4);
  await cluster.stop();
  return [
    {
      name: 'option purchases inside the process, durable',
      value: perSecond(bought),
      ratio: `two holds, signed terms and an order each; ${purchaseCpu}`,
      goal: '≥ 10,000/s over HTTP',
    },
    {
      name: `${settled.toLocaleString('en')} orders that expire in the same second`,
      value: `settled in ${seconds.toFixed(1)} s`,
      ratio: `${(settled / seconds / grouped).toFixed(2)}× as many a second as transfers of a group commit without a ledger (${perSecond(grouped)}), ${(settled / seconds / bought).toFixed(2)}× the rate at which they were bought; ${settlementCpu}`,
      goal: '≤ 5 s, 0.55×',
      share: ['settlements due at once', settled / seconds / grouped],
    },
  ];
}
