import { Bus } from '@sathorn/server/bus';
import { DEMO_TERMS, openEarning } from '@sathorn/server/earning';
import { openLedger } from '@sathorn/server/ledger';
import pg from 'pg';
import { openBenchCluster } from './bench-cluster.ts';
import type { BenchFigure } from './figure.ts';
import { peakMemorySinceReset, resetPeakMemory } from './process-use.ts';

const POSITIONS = Number(process.env.ACCRUAL_POSITIONS ?? 1_000_000);
const DAY_MS = 86_400_000;
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/**
 * Inserts positions directly as the owner, with their money, as if they were subscribed yesterday: a million real
 * subscriptions would take too long. The ledger's entries are then incomplete, but accruing does not need them.
 */
const FILL = `
  INSERT INTO ledger.account (owner, code, asset, rule, credits_posted, entries)
  SELECT 1000 + n, code, 'USDT', 'c', 1000000000 + n, 1 FROM generate_series(1, ${POSITIONS}) n CROSS JOIN unnest('{1000,1020}'::smallint[]) code;
  INSERT INTO ledger.account (owner, code, asset, rule, credits_posted) VALUES (0, 260, 'USDT', 'c', 1000000000000000);
  INSERT INTO earning.liquidity (customer_id, day, earning, leaving, fresh) SELECT 1000 + n, $day$, 1000000000 + n, 0, 0 FROM generate_series(1, ${POSITIONS}) n;
  INSERT INTO earning.day_total (day) VALUES ($day$);
  CREATE TABLE bench_plain (id bigint PRIMARY KEY, balance numeric(39, 0) NOT NULL, entries bigint NOT NULL) WITH (fillfactor = 70);
  INSERT INTO bench_plain SELECT n, 1000000000 + n, 0 FROM generate_series(1, ${POSITIONS}) n;
  VACUUM ANALYZE ledger.account; VACUUM ANALYZE earning.liquidity; VACUUM ANALYZE bench_plain`;

/**
 * Measures two days' income of a million positions, each with its transfer and receipt. The comparison is one plain
 * UPDATE of as many rows before and after.
 */
export async function benchAccrual(): Promise<BenchFigure[]> {
  const cluster = await openBenchCluster();
  const owner = new pg.Client({ ...cluster.owner, options: '-c statement_timeout=0' });
  await owner.connect();
  try {
    let now = new Date('2026-12-01T05:00:00Z');
    const clock = { now: () => now };
    const bus = new Bus();
    const { database } = cluster;
    const ledger = openLedger({ eligibility: null, database, clock, bus }).api;
    const room = openEarning({
      database,
      ledger,
      bus,
      clock,
      timeZone: 'Asia/Bangkok',
      isOffering: () => true,
      rules: () => ({ content: '', next: null }),
      passwords: {
        hasPaymentPassword: async () => true,
        checkPaymentPassword: async () => ({ ok: true, effect: null }),
      },
      onFault: (error) => console.error(error),
    }).api;
    await room.offerDemo(DEMO_TERMS, now);
    const today = Math.floor(now.getTime() / DAY_MS);
    for (const line of FILL.replaceAll('$day$', String(today)).split(';')) await owner.query(line);

    const measure = async (work: () => Promise<unknown>): Promise<{ ms: number; cpuMs: number }> => {
      await owner.query('CHECKPOINT');
      const cpu = cluster.cpuMs();
      const began = performance.now();
      await work();
      return { ms: performance.now() - began, cpuMs: cluster.cpuMs() - cpu };
    };
    const plain = () =>
      measure(() => owner.query('UPDATE bench_plain SET balance = balance + 137, entries = entries + 1'));
    const accrue = () =>
      measure(async () => {
        now = new Date(now.getTime() + DAY_MS);
        if (!(await room.accrueDue())) throw new Error('a day was not paid');
      });
    // Both days share one comparison, because a statement's time may differ by half from one run to the next.
    const peers = [await plain()];
    resetPeakMemory();
    const days: Awaited<ReturnType<typeof measure>>[] = [];
    // The second day reads what the first day has written.
    for (let nth = 0; nth < 2; nth += 1) {
      days.push(await accrue());
      peers.push(await plain());
    }
    const peerMs = peers.reduce((sum, { ms }) => sum + ms, 0) / peers.length;
    const peerCpuMs = peers.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / peers.length;
    const each = peers.map(({ ms }) => seconds(ms)).join(', ');
    const figures = days.map(
      (day, n): BenchFigure => ({
        name: `the ${n === 0 ? 'first' : 'second'} day's income of ${POSITIONS.toLocaleString('en')} positions, each with its transfer and its receipt`,
        value: `${seconds(day.ms)}; our process at its peak ${Math.round(peakMemorySinceReset() / 1e6)} MB, in chunks of 4,000`,
        goal: 'at most 3 times a plain UPDATE of as many rows in one statement',
        share: [`accruals of day ${n + 1}`, peerMs / day.ms],
        ratio: `${(day.ms / peerMs).toFixed(1)} × ${seconds(peerMs)} (${each}); the database's CPU ${seconds(day.cpuMs)}, ${(day.cpuMs / peerCpuMs).toFixed(1)} × ${seconds(peerCpuMs)}`,
      }),
    );
    const { rows } = await owner.query<{ paid: string }>(
      'SELECT count(*) AS paid FROM ledger.transfer WHERE code = 76',
    );
    if (Number(rows[0]?.paid) !== 2 * POSITIONS) throw new Error(`${rows[0]?.paid} of ${2 * POSITIONS} were paid`);
    return figures;
  } finally {
    await owner.end();
    await cluster.stop();
  }
}
