export { demoOwnerOf } from './demo-owner.ts';
export { declareTreasury, type TreasuryOwner } from './declare-treasury.ts';
export { openTreasury } from './open-treasury.ts';
export { LOCAL_CONTRACTS, prepareLocalTreasury } from './treasury-contracts.ts';
export type { TreasuryDependencies } from './treasury.ts';
