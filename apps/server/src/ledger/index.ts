export { type Intent, uuidOfName } from '../platform/intent.ts';
export * from './chart.ts';
export * from './hot-kind.ts';
export * from './journal.ts';
export type * from './ledger.ts';
export * from './loaded-kind.ts';
export { openLedger } from './open-ledger.ts';
export { readBalanceHandler } from './read-balance.ts';
export { spotFundsOf } from './spot-funds.ts';
