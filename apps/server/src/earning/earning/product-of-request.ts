import { LOCKUP_PRODUCTS } from './earning-terms.ts';

/** The product that a request names: null for liquidity, undefined for an unknown lock-up. */
export function productOfRequest(
  type: 'liquidity' | 'regular',
  product: string | undefined,
): number | null | undefined {
  if (type === 'liquidity') return null;
  return LOCKUP_PRODUCTS.find((days) => String(days) === product);
}
