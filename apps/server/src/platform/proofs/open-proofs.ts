import type { Queries } from '../database/index.ts';
import { allowOnAnyClock } from '../edge/index.ts';
import type { Module } from '../module.ts';
import { listRestorationsHandler } from './list-restorations.ts';
import { readProofKeysHandler } from './read-proof-keys.ts';

interface ProofsDependencies {
  /** Connections for public reads. */
  readonly reads: Queries;
}

export function openProofs({ reads }: ProofsDependencies): Module<null> {
  return { api: null, handlers: allowOnAnyClock(readProofKeysHandler(reads), listRestorationsHandler(reads)) };
}
