import { randomUUID } from 'node:crypto';
import { Bus } from '@sathorn/server/bus';
import {
  type AccountKey,
  customerAccount,
  houseAccount,
  type JournalKind,
  openLedger,
  type PurposeName,
} from '@sathorn/server/ledger';
import { accept } from '@sathorn/settlement';
import { openBenchCluster } from './bench-cluster.ts';
import { type BenchFigure, perSecond } from './figure.ts';
import { runGroupedTransfers, runPlainTransfers } from './plain-transfers.ts';

interface Move {
  debit: AccountKey;
  credit: AccountKey;
  code: PurposeName;
  units: bigint;
}
const move: JournalKind<Move, null, never> = {
  name: 'bench.move',
  customer: () => null,
  accounts: ({ debit, credit }) => [debit, credit],
  decide: ({ debit, credit, code, units }) =>
    accept({ transfers: [{ kind: 'single', debit, credit, units, code }], answer: null }),
};

const CUSTOMERS = 10_000;

export async function benchLedger(): Promise<BenchFigure[]> {
  const cluster = await openBenchCluster();
  const ledger = openLedger({
    eligibility: null,
    database: cluster.database,
    clock: { now: () => new Date() },
    bus: new Bus(),
  }).api;
  const post = (debit: AccountKey, credit: AccountKey, code: PurposeName = 'demo_money', units = 1n) =>
    ledger.post(move, { debit, credit, code, units }, { id: randomUUID(), digest: 'bench' });
  const [fund, maker] = [houseAccount('demo_fund', 'USDT'), houseAccount('maker', 'USDT')];
  for (const account of [fund, maker]) await post(houseAccount('equity', 'USDT'), account, 'demo_funding', 10n ** 15n);
  for (let n = 1; n <= CUSTOMERS; n += 1_000) {
    await Promise.all(Array.from({ length: 1_000 }, (_, i) => post(fund, customerAccount(BigInt(n + i), 'USDT'))));
  }
  const someone = (): AccountKey => customerAccount(BigInt(1 + Math.floor(Math.random() * CUSTOMERS)), 'USDT');

  const run = async (
    callers: number,
    seconds: number,
    next: (n: number) => [AccountKey, AccountKey, PurposeName?],
  ): Promise<number> => {
    let done = 0;
    const begin = performance.now();
    const end = begin + seconds * 1000;
    await Promise.all(
      Array.from({ length: callers }, async () => {
        while (performance.now() < end) {
          await post(...next(done));
          done += 1;
        }
      }),
    );
    return done / ((performance.now() - begin) / 1000);
  };
  const cold = (): [AccountKey, AccountKey] => {
    const to = someone();
    return [fund, to];
  };
  const hotPool = houseAccount('fee_income', 'USDT');
  await run(500, 1, cold);
  const batched = await run(2_000, 4, cold);
  const hot = await run(2_000, 4, () => [maker, hotPool, 'contract_fee']);
  const single = await run(1, 3, cold);
  const plain = await runPlainTransfers(cluster.owner, CUSTOMERS, 8, 3);
  const plainSingle = await runPlainTransfers(cluster.owner, CUSTOMERS, 1, 3);
  const grouped = await runGroupedTransfers(cluster.owner, CUSTOMERS, 500, 4);
  await cluster.stop();
  return [
    {
      name: 'ledger transfers, durable, 2,000 callers',
      value: perSecond(batched),
      ratio: `${(batched / grouped).toFixed(2)}× a group commit without a ledger (${perSecond(grouped)}), ${(batched / plain).toFixed(1)}× a transaction each over 8 connections (${perSecond(plain)})`,
      goal: '≥ 25,000/s, 0.68×',
      share: ['ledger transfers in batches', batched / grouped],
    },
    {
      name: 'the same into one hot house account',
      value: perSecond(hot),
      ratio: `${(hot / batched).toFixed(2)}× the spread load`,
      goal: 'no slower',
    },
    {
      name: 'ledger transfers, one at a time',
      value: perSecond(single),
      ratio: `${(single / plainSingle).toFixed(2)}× hand-written ones, one at a time (${perSecond(plainSingle)})`,
      goal: '≥ 1,500/s',
      share: ['ledger transfers one at a time', single / plainSingle],
    },
  ];
}
