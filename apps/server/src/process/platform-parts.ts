/**
 * The imports that starting a platform needs beyond the database's files. This file is loaded while those are created,
 * because loading it occupies a core for a second.
 */
export { memoryFileOf, pinnedKeysFile, startChecker } from '../checker/checker/index.ts';
export { awaitDueOptions } from '../exchange/options/index.ts';
export { demoOwnersOf } from '../money/treasury/demo-owner.ts';
export { storePayoutWaits } from '../money/withdrawals/index.ts';
export { ed25519Signer, ownProofKeys } from '../platform/proofs/index.ts';
export { DEMO_OPERATORS } from '../staff/operators/index.ts';
export { checkerVotersFile } from '../staff/votes/index.ts';
export { openChain } from './open-chain.ts';
export { openPostgres } from './open-postgres.ts';
export { startRoles } from './start-roles.ts';
