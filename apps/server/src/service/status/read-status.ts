import { type PlatformStatus, readStatus } from '@sathorn/api';
import { COINS, formatDecimal, formatPrice, PRICE_SCALE } from '@sathorn/money';
import { accept } from '@sathorn/settlement';
import type { Language } from '@sathorn/text';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { DAY_MS } from './day.ts';
import { type IncidentRow, listIncidentRows, readLastIncidentAt } from './incident-store.ts';
import type { StatusDependencies } from './status.ts';
import { viewIncident } from './view-incident.ts';

const INCIDENT_DAYS = 30;
const INCIDENTS_MAX = 50;
const COST_ROWS = 200;

function coinsOf({ market }: StatusDependencies): PlatformStatus['coins'] {
  return market.coins().map((code) => {
    const { last, stale, sources } = market.quote(code);
    return {
      code,
      price: last && formatPrice(last.price, COINS[code].indexDecimals),
      at: last?.at.toISOString() ?? null,
      stale,
      head: last && { sequence: String(last.sequence), hash: last.text.hash },
      sources: sources.map(({ name, price, at, used, reason }) => ({
        name,
        price: price === null ? null : formatDecimal(price, PRICE_SCALE),
        at: at?.toISOString() ?? null,
        used,
        reason,
      })),
    };
  });
}

/** The worst state among open incidents and checks. */
function stateOf(
  open: readonly IncidentRow[],
  { isHalted, isStale, isLate }: { isHalted: boolean; isStale: boolean; isLate: boolean },
): PlatformStatus['state'] {
  if (isHalted) return 'halted';
  if (open.some(({ severity }) => severity === 'outage')) return 'outage';
  return isStale || isLate || open.some(({ severity }) => severity === 'degraded') ? 'degraded' : 'running';
}

export async function readPlatformStatus(
  module: StatusDependencies,
  language: Language,
  now: Date,
): Promise<PlatformStatus> {
  const { reads, market, withdrawalTimes, payoutStop, checked } = module;
  const [incidents, lastAt, times, stop, latePayouts] = await Promise.all([
    listIncidentRows(reads, new Date(now.getTime() - INCIDENT_DAYS * DAY_MS), INCIDENTS_MAX),
    readLastIncidentAt(reads),
    withdrawalTimes(new Date(now.getTime() - DAY_MS), now),
    payoutStop(),
    module.latePayouts(now),
  ]);
  const report = checked();
  const coins = coinsOf(module);
  const minutesOf = ({ count, medianMinutes }: { count: number; medianMinutes: number | null }) => ({
    count,
    median_minutes: medianMinutes,
  });
  return {
    at: now.toISOString(),
    state: stateOf(
      incidents.filter(({ closed_at }) => closed_at === null),
      {
        isHalted: (report?.halted ?? null) !== null,
        isStale: coins.some(({ stale }) => stale),
        isLate: times.late > 0 || stop !== null || latePayouts > 0,
      },
    ),
    halted_by: report?.halted ?? null,
    checked_at: report?.passed ?? null,
    incidents: incidents.map((row) => viewIncident(row, language)),
    last_incident_at: lastAt?.toISOString() ?? null,
    withdrawals: {
      automatic: minutesOf(times.automatic),
      checked: minutesOf(times.checked),
      waiting: times.waiting,
      longest_waiting_minutes: times.longestMinutes,
      promised_minutes: times.promisedMinutes,
      late: times.late,
      stopped: stop ?? (latePayouts > 0 ? 'late' : null),
    },
    coins,
    origin: market.environment,
  };
}

export function readStatusHandler(module: StatusDependencies): Handler {
  return handle(readStatus, async ({ language, now }) => accept(await readPlatformStatus(module, language, now)), {
    rowsOf: () => COST_ROWS,
  });
}
