/** The house's account at a bank, and under which number PromptPay finds it. */
export interface BankAccount {
  readonly id: string;
  readonly bank: string;
  readonly bankName: string;
  readonly accountName: string;
  readonly number: string;
  /** 15 digits: the tax number and a suffix. */
  readonly promptPayBiller: string;
}

/** A demonstration's: no bank has it. */
export const DEMO_BANK: BankAccount = {
  id: '00000000-0000-4000-8000-000000000001',
  bank: 'KBANK',
  bankName: 'Kasikornbank',
  accountName: 'Sathorn Demo Co., Ltd.',
  number: '000-0-00000-0',
  promptPayBiller: '099400000000000',
};

/** THB for a USDT in units of 10^-6, where it is from, and when it was known. */
export interface BahtRate {
  readonly units: bigint;
  readonly source: string;
  readonly at: Date;
}

export const RATE_SCALE = 6;
const WHOLE = 10_000n;

/** What a customer pays for a USDT, spread inside: the house's share makes it dearer. Rounded up. */
export const payingRate = ({ units }: BahtRate, spreadBps: bigint): bigint =>
  (units * (WHOLE + spreadBps) + WHOLE - 1n) / WHOLE;
/** What a customer gets for a USDT. Rounded down. */
export const receivingRate = ({ units }: BahtRate, spreadBps: bigint): bigint => (units * (WHOLE - spreadBps)) / WHOLE;

/** Units of USDT for units of THB, rounded down: the remainder is the house's. */
export const usdtFor = (baht: bigint, rate: bigint): bigint => (baht * 10n ** 4n * 10n ** BigInt(RATE_SCALE)) / rate;
/** Units of THB for units of USDT, rounded down. */
export const bahtFor = (usdt: bigint, rate: bigint): bigint => (usdt * rate) / (10n ** 4n * 10n ** BigInt(RATE_SCALE));
