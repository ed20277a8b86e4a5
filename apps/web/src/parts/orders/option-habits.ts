import { parseDecimal } from '@sathorn/money';
import { create } from 'zustand';

/** Preferences for buying options on this device. The stake is not stored. */
interface OptionHabits {
  /** The duration last chosen. */
  readonly seconds: number;
  /** The number of purchases on this device, counted up to the offer below. */
  readonly purchases: number;
  /** The customer who buys without a confirmation. Other customers on this device are still asked. */
  readonly atOnceFor: string | null;
}

const STORED_AS = 'options';
const FIRST: OptionHabits = { seconds: 60, purchases: 0, atOnceFor: null };
const USDT_SCALE = 6;

/** The purchase whose confirmation offers, once and to a customer with some experience, to skip confirmations. */
export const QUICK_BUY_OFFERED_AFTER = 3;

/** Parses the stored preferences. Values of another shape count as absent. */
export function parseOptionHabits(stored: string | null): OptionHabits {
  try {
    const { seconds, purchases, atOnceFor } = JSON.parse(stored ?? '{}') as Record<string, unknown>;
    const isCount = (value: unknown): value is number => Number.isInteger(value) && (value as number) > 0;
    return {
      seconds: isCount(seconds) ? seconds : FIRST.seconds,
      purchases: isCount(purchases) ? purchases : FIRST.purchases,
      atOnceFor: typeof atOnceFor === 'string' ? atOnceFor : FIRST.atOnceFor,
    };
  } catch {
    return FIRST;
  }
}

function storedHabits(): OptionHabits {
  try {
    return parseOptionHabits(localStorage.getItem(STORED_AS));
  } catch {
    return FIRST;
  }
}

export const useOptionHabits = create<OptionHabits>(storedHabits);

export function keepOptionHabits(change: Partial<OptionHabits>): void {
  useOptionHabits.setState(change);
  try {
    localStorage.setItem(STORED_AS, JSON.stringify(useOptionHabits.getState()));
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
}

/** True up to a fifth of the balance. A larger purchase needs a confirmation whatever the customer has chosen. */
export function mayBuyAtOnce(stakeText: string, availableText: string): boolean {
  const stake = parseDecimal(stakeText, USDT_SCALE);
  const available = parseDecimal(availableText, USDT_SCALE);
  return stake !== undefined && available !== undefined && stake * 5n <= available;
}
