import type { OptionReceipt } from '@sathorn/api';

/**
 * Returns the time of a receipt's tick as it is signed, or undefined if there is none. Only the receipt's checks say
 * whether the tick is genuine.
 */
export function tickTimeOf(tick: OptionReceipt['ticks']['start'] | undefined): string | undefined {
  try {
    const { t }: { t?: unknown } = JSON.parse(tick?.body ?? '{}');
    return typeof t === 'string' && /^\d{1,15}$/.test(t) ? new Date(Number(t)).toISOString() : undefined;
  } catch {
    return undefined;
  }
}
