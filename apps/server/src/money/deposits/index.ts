export { announceAccounts, type BankAccounts, fixedAccounts, openBankAccounts, readBankFile } from './bank-accounts.ts';
export { type BankFeed, readFeedKey } from './bank-feed.ts';
export { type BahtRate, type BankAccount, bahtFor, DEMO_BANK, receivingRate } from './bank-rails.ts';
export { RECOVERY_APPROVAL } from './deposit-case.ts';
export { readDepositQueue } from './deposit-queue.ts';
export { readInflows } from './deposit-store.ts';
export type { Deposits, DepositsDependencies } from './deposits.ts';
export { openDeposits } from './open-deposits.ts';
export { orderNumber } from './order-number.ts';
