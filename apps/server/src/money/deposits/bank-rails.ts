import { type Money, money } from '@sathorn/money';

/** The house's bank account and its PromptPay number. */
export interface BankAccount {
  readonly id: string;
  readonly bank: string;
  readonly bankName: string;
  readonly accountName: string;
  readonly number: string;
  /** The 15-digit PromptPay biller id: tax number and suffix. */
  readonly promptPayBiller: string;
}

/** The demo's account, which exists at no bank. */
export const DEMO_BANK: BankAccount = {
  id: '00000000-0000-4000-8000-000000000001',
  bank: 'KBANK',
  bankName: 'Kasikornbank',
  accountName: 'Sathorn Demo Co., Ltd.',
  number: '000-0-00000-0',
  promptPayBiller: '099400000000000',
};

/** THB per USDT in units of 10^-6, with its source and time. */
export interface BahtRate {
  readonly units: bigint;
  readonly source: string;
  readonly at: Date;
}

export const BAHT_RATE_SCALE = 6;
const WHOLE = 10_000n;

/** The rate a customer pays per USDT: the market rate plus the house's spread, rounded up. */
export const payInRate = ({ units }: BahtRate, spreadBps: bigint): bigint =>
  (units * (WHOLE + spreadBps) + WHOLE - 1n) / WHOLE;
/** The rate a customer gets per USDT: the market rate minus the spread, rounded down. */
export const payOutRate = ({ units }: BahtRate, spreadBps: bigint): bigint => (units * (WHOLE - spreadBps)) / WHOLE;

/** The baht to pay, rounded down. USDT has four decimals more than THB. */
export const bahtForUsdt = ({ units }: Money<'USDT'>, rate: bigint): Money<'THB'> =>
  money('THB', (units * rate) / (10n ** 4n * 10n ** BigInt(BAHT_RATE_SCALE)));
