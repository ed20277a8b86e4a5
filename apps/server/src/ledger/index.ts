export * from './chart.ts';
export * from './hot-kind.ts';
export * from './journal.ts';
export { openLedger } from './open-ledger.ts';
export { spotFunds } from './spot-funds.ts';
export { uuidOfName } from './uuid-of-name.ts';
