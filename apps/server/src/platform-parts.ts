/**
 * What starting a platform needs besides a database's files. It is loaded while they are created, because loading it
 * takes a core for a second.
 */
export { memoryFile, pinsFile, startChecker } from './checker/index.ts';
export { openChain } from './open-chain.ts';
export { openPostgres } from './open-postgres.ts';
export { awaitDueOptions } from './options/index.ts';
export { ed25519Signer, ownKeys } from './proofs/index.ts';
export { startRoles } from './start-roles.ts';
export { checkerVotersFile } from './votes/index.ts';
export { keepWaits } from './withdrawals/index.ts';
