import { LOCKUPS } from './terms.ts';

/** The product that a request names: null for liquidity, undefined for an unknown lock-up. */
export function productOf(type: 'liquidity' | 'regular', product: string | undefined): number | null | undefined {
  if (type === 'liquidity') return null;
  return LOCKUPS.find((days) => String(days) === product);
}
