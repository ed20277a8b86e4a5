import type { Ledger } from '../ledger/index.ts';

/** This room reads balances and statements; it moves nothing. */
export type LedgerReader = Pick<Ledger, 'balances' | 'statement'>;
