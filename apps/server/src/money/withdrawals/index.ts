export { declareTimeZone } from './declare-time-zone.ts';
export { heldUntil } from './held-until.ts';
export { channelTermsOf, thresholdOffer, withdrawalOffer } from './offer-kind.ts';
export { openWithdrawals, type Withdrawals, type WithdrawalsDependencies } from './open-withdrawals.ts';
export { keepWaits } from './payout-waits.ts';
export { type SignerProcess, startSigner } from './signer/signer-process.ts';
export { assertWallet, hasKey, keyMissing, keyOfAnother, readKeptWallet, walletOfKey } from './signer/wallet-file.ts';
export { readWithdrawalQueue } from './withdrawal-queue.ts';
export type { PaymentTimes, WithdrawalTimes } from './withdrawal-store.ts';
