import { DISPUTE_FINDINGS, MONEY_FINDINGS, type PlatformFigures, readFigures } from '@sathorn/api';
import { ASSETS, type AssetCode, COIN_CODES, formatMoney, money } from '@sathorn/money';
import { accept, breakEvenOf, validCountOf } from '@sathorn/settlement';
import type { OptionFigures } from '../../exchange/options/index.ts';
import { ACCOUNTS, type AccountName } from '../../ledger/index.ts';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { cacheFor } from './cache-for.ts';
import { DAY_MS } from './day.ts';
import type { StatusDependencies } from './status.ts';

const DAYS = 30;
/** Figures that read a month of orders are read this seldom. */
export const FIGURES_FRESH_MS = 5 * 60_000;
const TROUBLES_FRESH_MS = 5_000;
const COST_ROWS = 200;
/** The ledger's accounts for money held outside. Their debit balance is the amount held. */
const OUTSIDE: ReadonlySet<AccountName> = new Set(['reserve_hot', 'reserve_cold', 'reserve_bank', 'inbound_clearing']);

/** Assets whose reserves are at a bank. */
const AT_BANK: ReadonlySet<AssetCode> = new Set(['THB']);

const SHARE_SCALE = 10_000n;
/** `part` divided by `whole` with four decimals, rounded down; null if `whole` is zero. */
export function shareTextOf(part: bigint, whole: bigint): string | null {
  if (whole === 0n) return null;
  const share = (part * SHARE_SCALE) / whole;
  const [sign, digits] = share < 0n ? ['-', -share] : ['', share];
  return `${sign}${digits / SHARE_SCALE}.${String(digits % SHARE_SCALE).padStart(4, '0')}`;
}

export function viewDurationFigures({ won, lost, tie, ...figures }: OptionFigures): PlatformFigures['options'][number] {
  const { durationMs, staked, gainable, stakedInAll, credited } = figures;
  return {
    duration: durationMs / 1000,
    orders: won + lost + tie + figures.void + figures.sold,
    won,
    lost,
    tie,
    void: figures.void,
    sold: figures.sold,
    share_won: shareTextOf(BigInt(won), BigInt(won + lost)),
    break_even: breakEvenOf(staked, gainable),
    per_100:
      stakedInAll === 0n ? null : formatMoney(money('USDT', ((credited - stakedInAll) * 100_000_000n) / stakedInAll)),
  };
}

async function solvencyOf(
  { ledger, signedSums, counted, coverOf, mode }: StatusDependencies,
  now: Date,
): Promise<Pick<PlatformFigures, 'signed_sums' | 'solvency'>> {
  const [totals, newest, outside, counts] = await Promise.all([
    ledger.totals(),
    signedSums(),
    counted(),
    Promise.all(COIN_CODES.map(async (coin) => [coin, validCountOf(await coverOf(coin, now))] as const)),
  ]);
  const signed = new Map<AssetCode, bigint | null>(counts);
  const sums = newest && new Map(newest.sums.sums);
  const solvency: PlatformFigures['solvency'] = (Object.keys(ASSETS) as AssetCode[]).flatMap((asset) => {
    const of = totals.filter((total) => total.asset === asset);
    const sum = (isWanted: (name: AccountName) => boolean): bigint =>
      of.filter(({ account }) => isWanted(account)).reduce((units, total) => units + total.units, 0n);
    const owed = sums ? (sums.get(asset) ?? 0n) : sum((name) => !ACCOUNTS[name].isHouse);
    // Coins are not booked as reserves; what counts is the reserve that two people have counted.
    const held = signed.get(asset) ?? -sum((name) => OUTSIDE.has(name));
    // Points have no value outside the platform, so no reserve is held for them.
    if (asset === 'POINTS' || (owed === 0n && held === 0n)) return [];
    const found = outside.find((each) => each.asset === asset)?.units ?? signed.get(asset) ?? null;
    const text = (units: bigint): string => formatMoney(money(asset, units));
    return [
      {
        asset,
        owed: text(owed),
        held: text(held),
        counted: found === null ? null : text(found),
        cover: shareTextOf(held, owed),
        evidence: mode === 'demo' ? 'test' : AT_BANK.has(asset) ? 'bank' : signed.has(asset) ? 'signed' : 'chain',
      },
    ];
  });
  return {
    signed_sums: newest && {
      sequence: String(newest.sums.sequence),
      hash: newest.hash,
      at: new Date(newest.sums.atMs).toISOString(),
    },
    solvency,
  };
}

/** Reads the incidents and pauses, and the figures of disputes. */
export async function readPauseAndDisputeSums(
  {
    pauseSums,
    disputeFigures,
    reversalsSince,
  }: Pick<StatusDependencies, 'pauseSums' | 'disputeFigures' | 'reversalsSince'>,
  now: Date,
): Promise<Pick<PlatformFigures, 'days' | 'pauses' | 'reversals' | 'disputes'>> {
  const since = new Date(now.getTime() - DAYS * DAY_MS);
  const [pauses, { answered, medianSeconds, ...disputes }, reversals] = await Promise.all([
    pauseSums(since, now),
    disputeFigures(since, now),
    reversalsSince(since),
  ]);
  return {
    days: DAYS,
    pauses: pauses.map(({ kind, subject, times, seconds, since: from }) => ({
      kind,
      subject,
      times: Number(times),
      seconds: Number(seconds),
      since: from?.toISOString() ?? null,
    })),
    reversals: reversals.map(({ at, channel, amount, shortfall }) => ({
      at: at.toISOString(),
      channel,
      amount: formatMoney(amount),
      borne: formatMoney(shortfall),
    })),
    disputes: {
      ...disputes,
      answered: [...DISPUTE_FINDINGS, ...MONEY_FINDINGS].map((finding) => ({ finding, count: answered[finding] })),
      median_seconds: medianSeconds,
    },
  };
}

/** Reads how many options late prices settled, by coin. */
export async function readCoinSums(
  { coinFigures }: Pick<StatusDependencies, 'coinFigures'>,
  now: Date,
): Promise<PlatformFigures['coins']> {
  const coins = await coinFigures(now.getTime() - DAYS * DAY_MS);
  return coins.map(({ coin, orders, late, veryLate, noStartTick, noEndTick, hadVoid }) => ({
    code: coin,
    orders,
    late,
    late_over_5s: veryLate,
    voids: { no_start_tick: noStartTick, no_end_tick: noEndTick },
    had_void: hadVoid,
  }));
}

/** Reads how long options waited from their arrival to their acceptance. */
export async function readWaits(
  { waitFigures }: Pick<StatusDependencies, 'waitFigures'>,
  now: Date,
): Promise<PlatformFigures['waits']> {
  const waits = await waitFigures(now.getTime() - DAYS * DAY_MS);
  if (waits === null) return null;
  const { orders, median, p99, quickTenth, slowTenth } = waits;
  return { orders, median_ms: median, p99_ms: p99, quick_tenth_ms: quickTenth, slow_tenth_ms: slowTenth };
}

async function figuresOf(
  module: StatusDependencies,
  now: Date,
): Promise<Omit<PlatformFigures, 'pauses' | 'reversals' | 'disputes'>> {
  const since = new Date(now.getTime() - DAYS * DAY_MS);
  const [owed, options, coins, waits] = await Promise.all([
    solvencyOf(module, now),
    module.optionFigures(since.getTime()),
    readCoinSums(module, now),
    readWaits(module, now),
  ]);
  const durations = options.map(viewDurationFigures);
  return {
    at: now.toISOString(),
    days: DAYS,
    ...owed,
    options: durations,
    orders: durations.reduce((sum, { orders }) => sum + orders, 0),
    voids: durations.reduce((sum, each) => sum + each.void, 0),
    coins,
    waits,
  };
}

export function readFiguresHandler(module: StatusDependencies): Handler {
  const read = cacheFor(FIGURES_FRESH_MS, (now) => figuresOf(module, now));
  // This read is cached for a shorter time, so that a new pause is shown soon.
  const readNow = cacheFor(TROUBLES_FRESH_MS, (now) => readPauseAndDisputeSums(module, now));
  return handle(
    readFigures,
    async ({ now }) => {
      const [figures, troubles] = await Promise.all([read(now), readNow(now)]);
      return accept({ ...figures, ...troubles });
    },
    { rowsOf: () => COST_ROWS },
  );
}
