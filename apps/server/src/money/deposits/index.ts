export {
  announceBankAccounts,
  type BankAccounts,
  fixedBankAccounts,
  openBankAccounts,
  readBankFile,
} from './bank-accounts.ts';
export { type BankFeed, readBankFeedKey } from './bank-feed.ts';
export { type BahtRate, type BankAccount, bahtForUsdt, DEMO_BANK, payOutRate } from './bank-rails.ts';
export { RECOVERY_APPROVAL_KIND } from './deposit-case.ts';
export { readDepositQueue } from './deposit-queue.ts';
export { readInflows } from './deposit-store.ts';
export type { Deposits, DepositsDependencies } from './deposits.ts';
export { openDeposits } from './open-deposits.ts';
export { orderNumberOf } from './order-number.ts';
