import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { PAYOUT_LIMITS, type PayoutLimits, type PayoutsBefore } from '@sathorn/settlement';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FILE = 'budget.json';
const ADDRESSES = 'paid-addresses';

interface Spent {
  readonly id: string;
  readonly address: string;
  readonly units: bigint;
  readonly atMs: number;
  /** True if the address had never been paid before. */
  readonly isFirst: boolean;
}

/**
 * The signer's own record of its payments, in its own files. The rows of the database do not change it, a restart does
 * not reset it, and setting the clock back frees nothing.
 */
export interface PayoutBudget {
  readonly limits: PayoutLimits;
  before(payout: { readonly id: string; readonly address: string }): PayoutsBefore;
  /** Records the payout before it is signed; once, however often it is tried. */
  book(payout: { readonly id: string; readonly address: string; readonly units: bigint }, counts: boolean): void;
}

function flushed(file: string, flags: 'a' | 'w', text: string): void {
  const handle = openSync(file, flags, 0o600);
  try {
    if (flags === 'a') appendFileSync(handle, text);
    else writeFileSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

const unitsOf = (value: unknown): bigint => {
  if (typeof value !== 'string' || !/^\d{1,30}$/.test(value)) throw new TypeError('an amount is a text of digits');
  return BigInt(value);
};

interface Kept {
  readonly limits: PayoutLimits;
  readonly spent: Spent[];
  readonly newestMs: number;
}
function readKept(file: string): Kept {
  if (!existsSync(file)) return { limits: PAYOUT_LIMITS, spent: [], newestMs: 0 };
  try {
    const { limits, spent, newest } = JSON.parse(readFileSync(file, 'utf8')) as {
      limits: Record<string, unknown>;
      spent: { id: string; address: string; units: unknown; at: string; first: boolean }[];
      newest: string;
    };
    const newestMs = Date.parse(newest);
    if (Number.isNaN(newestMs)) throw new TypeError('no time');
    return {
      limits: { hour: unitsOf(limits.hour), day: unitsOf(limits.day), newAddress: unitsOf(limits.new_address) },
      spent: spent.map(({ id, address, units, at, first }) => ({
        id,
        address,
        units: unitsOf(units),
        atMs: Date.parse(at),
        isFirst: first,
      })),
      newestMs,
    };
  } catch (error) {
    throw new Error(`${file} is damaged: put the backup of it back (${(error as Error).message})`);
  }
}

/** `wallMs` is the system's clock; `passedMs` is monotonic. */
export function openPayoutBudget(
  folder: string,
  wallMs: () => number = Date.now,
  passedMs: () => number = () => performance.now(),
): PayoutBudget {
  const [file, addresses] = [path.join(folder, FILE), path.join(folder, ADDRESSES)];
  const kept = readKept(file);
  let { spent } = kept;
  const known = new Set(existsSync(addresses) ? readFileSync(addresses, 'utf8').split('\n') : []);
  // Reads the system's clock once, never earlier than the newest record; then only elapsed time counts.
  const [beganMs, beganPassed] = [Math.max(wallMs(), kept.newestMs), passedMs()];
  const now = (): number => beganMs + passedMs() - beganPassed;

  const save = (): void => {
    const { hour, day, newAddress } = kept.limits;
    const text = JSON.stringify(
      {
        limits: { hour: String(hour), day: String(day), new_address: String(newAddress) },
        newest: new Date(now()).toISOString(),
        spent: spent.map(({ id, address, units, atMs, isFirst }) => ({
          id,
          address,
          units: String(units),
          at: new Date(atMs).toISOString(),
          first: isFirst,
        })),
      },
      null,
      1,
    );
    flushed(`${file}.new`, 'w', `${text}\n`);
    renameSync(`${file}.new`, file);
  };
  if (!existsSync(file)) save();

  const sumOf = (of: readonly Spent[]): bigint => of.reduce((sum, { units }) => sum + units, 0n);
  return {
    limits: kept.limits,
    before({ id, address }) {
      const at = now();
      const others = spent.filter((one) => one.id !== id && one.atMs > at - DAY_MS);
      const toIt = others.filter((one) => one.address === address);
      const own = spent.find((one) => one.id === id);
      const isNew = !known.has(address) || own?.isFirst === true || toIt.some(({ isFirst }) => isFirst);
      return {
        hour: sumOf(others.filter(({ atMs }) => atMs > at - HOUR_MS)),
        day: sumOf(others),
        newAddress: isNew ? sumOf(toIt) : null,
      };
    },
    book({ id, address, units }, counts) {
      if (spent.some((one) => one.id === id)) return;
      const at = now();
      const isFirst = !known.has(address);
      if (counts) {
        spent = [...spent.filter(({ atMs }) => atMs > at - DAY_MS), { id, address, units, atMs: at, isFirst }];
        save();
      }
      if (!isFirst) return;
      known.add(address);
      flushed(addresses, 'a', `${address}\n`);
    },
  };
}
