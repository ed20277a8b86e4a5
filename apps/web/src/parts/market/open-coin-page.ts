import type { CoinQuote } from '@sathorn/api';
import type { Navigation } from '@sathorn/app/navigation';

/** Opens the coin's market, or its options if it has no market. Undefined when it has neither. */
export function openCoinPage(
  { code, contracts, options }: Pick<CoinQuote, 'code' | 'contracts' | 'options'>,
  navigate: Navigation['navigate'],
): (() => void) | undefined {
  if (!contracts && !options) return undefined;
  return () => navigate(contracts ? '/pages/contracts/contracts' : '/pages/Option/Option', { code });
}
