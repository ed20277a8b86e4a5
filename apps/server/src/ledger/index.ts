export * from './journal.ts';
export { openLedger } from './open-ledger.ts';
export { readBalanceHandler } from './read-balance.ts';
export { spotFunds } from './spot-funds.ts';
export { uuidOfName } from './uuid-of-name.ts';
