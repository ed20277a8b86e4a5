export { credentialsDelayUntil } from './credentials-delay-until.ts';
export { declareTimeZone } from './declare-time-zone.ts';
export { channelTermsOf, thresholdOfferKind, withdrawalOfferKind } from './offer-kind.ts';
export { openWithdrawals } from './open-withdrawals.ts';
export { storePayoutWaits } from './payout-waits.ts';
export { type SignerProcess, startSigner } from './signer/signer-process.ts';
export {
  assertHasWallet,
  foreignKeyMessage,
  hasKeyFile,
  keyMissingMessage,
  readKeptWallet,
  readWalletOfKey,
} from './signer/wallet-file.ts';
export { readWithdrawalQueue } from './withdrawal-queue.ts';
export type { PaymentTimes, WithdrawalTimes } from './withdrawal-store.ts';
export { readOutflows } from './withdrawal-store.ts';
export type { Withdrawals, WithdrawalsDependencies } from './withdrawals.ts';
