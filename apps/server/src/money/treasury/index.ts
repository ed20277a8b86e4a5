export { declareTreasury } from './declare-treasury.ts';
export { demoOwnerOf } from './demo-owner.ts';
export { openTreasury } from './open-treasury.ts';
export type { TreasuryDependencies } from './treasury.ts';
export { LOCAL_CONTRACTS, prepareLocalTreasury } from './treasury-contracts.ts';
