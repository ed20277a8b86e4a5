import type { DepositRecord } from '@sathorn/api';

type Network = NonNullable<DepositRecord['elsewhere']>['network'];

/** Proper names, the same in every language. `other` has none. */
export const NETWORK_NAMES: Readonly<Record<Exclude<Network, 'other'>, string>> = {
  ethereum: 'Ethereum',
  bsc: 'BNB Smart Chain',
  tron: 'Tron',
  polygon: 'Polygon',
  arbitrum: 'Arbitrum',
  optimism: 'Optimism',
  base: 'Base',
  avalanche: 'Avalanche',
  solana: 'Solana',
  ton: 'TON',
  bitcoin: 'Bitcoin',
};
