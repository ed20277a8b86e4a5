import type { listBalances, ResultOf } from '@sathorn/api';
import { ASSETS, type AssetCode, formatDecimal, isAssetCode, parseDecimal, scaleOf } from '@sathorn/money';
import type { AccountRecord } from '../parts/money/apply-record-news.ts';

export interface Month {
  /** From 2020 on. */
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
}

/** What moved of one asset. Decimal texts; `received`, `sent` and `fees` are never negative. */
export interface AssetMonth {
  readonly asset: AssetCode;
  readonly opening: string;
  readonly received: string;
  readonly sent: string;
  readonly fees: string;
  readonly closing: string;
}

export interface MonthStatement {
  readonly assets: readonly AssetMonth[];
  /** The month's rows, oldest first. */
  readonly rows: readonly AccountRecord[];
  /** False if the rows and the balances between them do not add up to the unit. */
  readonly addsUp: boolean;
}

type Balances = ResultOf<typeof listBalances>;

/** The month's beginning and end in the device's time zone, in ms since 1970. */
export const spanOf = ({ year, month }: Month): { readonly fromMs: number; readonly untilMs: number } => ({
  fromMs: new Date(year, month - 1, 1).getTime(),
  untilMs: new Date(year, month, 1).getTime(),
});

function unitsOf(text: string, asset: AssetCode): bigint {
  const isNegative = text.startsWith('-');
  const units = parseDecimal(isNegative ? text.slice(1) : text, scaleOf(asset));
  if (units === undefined) throw new Error(`${text} is no amount of ${asset}`);
  return isNegative ? -units : units;
}

/**
 * Adds up the statement of a month. `newestFirst` are all records since its beginning; older ones among them are
 * compared with the opening. `balances` are those of now, for assets that have not moved since.
 */
export function monthStatement(
  newestFirst: readonly AccountRecord[],
  balances: Balances,
  { fromMs, untilMs }: { readonly fromMs: number; readonly untilMs: number },
): MonthStatement {
  const since = newestFirst.filter(({ at }) => Date.parse(at) >= fromMs).toReversed();
  const rows = since.filter(({ at }) => Date.parse(at) < untilMs);
  let addsUp = true;
  const assets = (Object.keys(ASSETS) as AssetCode[]).flatMap((asset) => {
    const of = (records: readonly AccountRecord[]) => records.filter((record) => record.asset === asset);
    const moved = of(rows);
    const [first] = of(since);
    const now = balances.find((balance) => balance.asset === asset);
    const opening =
      first === undefined
        ? now === undefined
          ? 0n
          : unitsOf(now.available, asset) + unitsOf(now.held, asset)
        : unitsOf(first.balance_after ?? '0', asset) - unitsOf(first.amount, asset);
    const older = newestFirst.find((record) => record.asset === asset && Date.parse(record.at) < fromMs);
    if (older?.balance_after && unitsOf(older.balance_after, asset) !== opening) addsUp = false;
    let [balance, received, sent, fees] = [opening, 0n, 0n, 0n];
    for (const { amount, kind, balance_after } of moved) {
      const units = unitsOf(amount, asset);
      balance += units;
      if (balance_after === null || unitsOf(balance_after, asset) !== balance) addsUp = false;
      if (units >= 0n) received += units;
      else if (kind.endsWith('_fee')) fees -= units;
      else sent -= units;
    }
    if (moved.length === 0 && opening === 0n) return [];
    const text = (units: bigint): string => formatDecimal(units, scaleOf(asset));
    return [
      {
        asset,
        opening: text(opening),
        received: text(received),
        sent: text(sent),
        fees: text(fees),
        closing: text(balance),
      },
    ];
  });
  return { assets, rows: rows.filter(({ asset }) => isAssetCode(asset)), addsUp };
}

/** The month of a moment in the device's time zone. */
export function monthOf(atMs: number): Month {
  const date = new Date(atMs);
  return { year: date.getFullYear(), month: date.getMonth() + 1 };
}

/** The month so many months later, or earlier. */
export const monthBeside = ({ year, month }: Month, later: number): Month =>
  monthOf(new Date(year, month - 1 + later, 1).getTime());

export const monthText = ({ year, month }: Month): string => `${year}-${String(month).padStart(2, '0')}`;

/** Null for a text that names no month. */
export function readMonth(text: string | null): Month | null {
  const found = /^(20[2-9][0-9])-(0[1-9]|1[0-2])$/.exec(text ?? '');
  return found === null ? null : { year: Number(found[1]), month: Number(found[2]) };
}
