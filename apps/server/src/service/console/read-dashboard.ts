import { readDashboard } from '@sathorn/api';
import { ASSETS, type AssetCode, COINS, formatMoney, formatPrice, money } from '@sathorn/money';
import { accept } from '@sathorn/settlement';
import { ACCOUNTS, type AccountName } from '../../ledger/index.ts';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { viewEntry } from '../../staff/operators/index.ts';
import type { ConsoleModule } from './console.ts';
import { readQueues, visibleQueuesOf } from './desk.ts';
import { hasRole } from './has-role.ts';

const EVENTS = 12;
const DAY_MS = 86_400_000;
/** The ledger's accounts for money held outside. They have debit balances, so credits minus debits is negative. */
const OUTSIDE: ReadonlySet<AccountName> = new Set(['reserve_hot', 'reserve_cold', 'reserve_bank', 'inbound_clearing']);

async function custodyOf({
  ledger,
  counted,
  failingSince,
}: Pick<ConsoleModule, 'ledger' | 'counted' | 'failingSince'>) {
  const [totals, outside] = await Promise.all([ledger.totals(), counted()]);
  return (Object.keys(ASSETS) as AssetCode[]).flatMap((asset) => {
    const of = totals.filter((total) => total.asset === asset);
    if (of.length === 0) return [];
    const sum = (isWanted: (name: AccountName) => boolean): bigint =>
      of.filter(({ account }) => isWanted(account)).reduce((units, total) => units + total.units, 0n);
    const text = (units: bigint): string => formatMoney(money(asset, units));
    const reserves = -sum((name) => OUTSIDE.has(name));
    const found = outside.find((one) => one.asset === asset);
    return [
      {
        asset,
        customers: text(sum((name) => !ACCOUNTS[name].isHouse)),
        pools: text(sum((name) => ACCOUNTS[name].isHouse && ACCOUNTS[name].rule === 'c')),
        reserves: text(reserves),
        counted: found ? text(found.units) : null,
        difference: found ? text(found.units - reserves) : null,
        uncounted_since: asset === 'USDT' ? (failingSince()?.toISOString() ?? null) : null,
      },
    ];
  });
}

/** Accounts that pay customers, with the promised and the free part of each. */
const FUNDS = {
  yield: { promised: 'yield_reserved', free: 'yield' },
  rewards: { promised: 'boxes', free: 'rewards' },
} as const satisfies Record<string, { promised: AccountName; free: AccountName }>;

async function fundsOf({ ledger }: Pick<ConsoleModule, 'ledger'>) {
  const totals = await ledger.totals();
  const unitsOf = (name: AccountName): bigint =>
    totals.find(({ account, asset }) => account === name && asset === 'USDT')?.units ?? 0n;
  return Object.entries(FUNDS).map(([name, { promised, free }]) => ({
    name,
    promised: formatMoney(money('USDT', unitsOf(promised))),
    funded: formatMoney(money('USDT', unitsOf(promised) + unitsOf(free))),
  }));
}

async function matchesOf({ notableMatches, customers, operators }: ConsoleModule) {
  return Promise.all(
    (await notableMatches()).map(async ({ deposit, order_number, customer, matched_by: by, baht, at, marks }) => ({
      deposit,
      order_number,
      customer: { id: String(customer), username: (await customers.read(customer))?.username ?? '' },
      by: { id: String(by), work_name: await operators.workNameOf(by) },
      baht: formatMoney(baht),
      at: at.toISOString(),
      marks: [...marks],
    })),
  );
}

const minutes = (value: number): number => Math.max(1, Math.round(value));

async function timesOf({ withdrawalTimes, paymentHours }: ConsoleModule, now: Date) {
  const since = new Date(now.getTime() - DAY_MS);
  const [{ promisedMinutes, automatic, checked }, rows] = await Promise.all([
    withdrawalTimes(since, now),
    paymentHours(since),
  ]);
  const whole = rows.find(({ hour }) => hour === null);
  return {
    promised_minutes: promisedMinutes,
    automatic: automatic.count,
    checked: checked.count,
    median_minutes: whole ? minutes(whole.median) : null,
    slow_minutes: whole ? minutes(whole.slow) : null,
    hours: rows.flatMap(({ hour, median, slow }) =>
      hour ? [{ from: hour.toISOString(), median_minutes: minutes(median), slow_minutes: minutes(slow) }] : [],
    ),
  };
}

function indexesOf({ market }: ConsoleModule) {
  return market.coins().map((code) => {
    const { last, stale, sources } = market.quote(code);
    return {
      code,
      used: sources.filter(({ used }) => used).length,
      sources: sources.length,
      price: last && formatPrice(last.price, COINS[code].indexDecimals),
      at: last?.at.toISOString() ?? null,
      stale,
    };
  });
}

export function readDashboardHandler(module: ConsoleModule): Handler {
  const { operators, exposures, checked, health, lateWork, payoutStop } = module;
  return handle(readDashboard, async ({ operator, now }) => {
    const isOfMoney = hasRole(operator, 'compliance', 'finance', 'admin');
    const [custody, exposed, bankMatches, funds, times, late, stop, queues, states, latest] = await Promise.all([
      isOfMoney ? custodyOf(module) : null,
      isOfMoney ? exposures() : null,
      isOfMoney ? matchesOf(module) : null,
      isOfMoney ? fundsOf(module) : null,
      isOfMoney ? timesOf(module, now) : null,
      lateWork(now),
      payoutStop(),
      readQueues(module, now).then((waiting) => visibleQueuesOf(module, waiting, operator)),
      health(now),
      isOfMoney ? operators.latestEntries(EVENTS) : [],
    ]);
    const report = checked();
    return accept({
      at: now.toISOString(),
      custody,
      exposure:
        exposed?.map(({ code, up, down, limit }) => ({
          code,
          up: formatMoney(money('USDT', up)),
          down: formatMoney(money('USDT', down)),
          limit: limit === null ? null : formatMoney(money('USDT', limit)),
        })) ?? null,
      queues,
      bank_matches: bankMatches,
      funds,
      times,
      health: [
        {
          name: 'checker',
          state: report === null ? 'unchecked' : report.halted === null ? 'checked' : report.halted,
          is_good: report !== null && report.halted === null && report.violations.length === 0,
          late: null,
        },
        ...states.map((one) => ({ ...one, late: null })),
        ...Object.entries(late).map(([name, count]) => ({
          name,
          state: name === 'signer' && stop !== null ? stop : count === 0 ? 'on_time' : 'late',
          is_good: count === 0 && (name !== 'signer' || stop === null),
          late: count,
        })),
      ],
      indexes: indexesOf(module),
      events: latest.map(viewEntry).map(({ n, at, who, what, on }) => ({ n, at, who, what, on })),
    });
  });
}
