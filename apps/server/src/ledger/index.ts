export * from './journal.ts';
export { openLedger } from './open-ledger.ts';
