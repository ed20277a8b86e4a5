/** The specification's banks, in its order. */
export const BANK_CODES = [
  'BBL',
  'BBC',
  'KTB',
  'BAY',
  'KBANK',
  'CITI',
  'TTB',
  'SCB',
  'NBANK',
  'KKP',
  'GSB',
  'GHB',
  'BAAC',
] as const;
export type BankCode = (typeof BANK_CODES)[number];

export interface Bank {
  /** The bank's name in Thai; `english` is used abroad. */
  readonly thai: string;
  readonly english: string;
  /** The possible lengths of its account numbers, in digits. */
  readonly digits: readonly number[];
}

const TEN = [10];
export const BANKS: Readonly<Record<BankCode, Bank>> = {
  BBL: { thai: 'ธนาคารกรุงเทพ', english: 'Bangkok Bank', digits: TEN },
  BBC: { thai: 'ธนาคารกรุงเทพฯ พาณิชย์การ', english: 'Bangkok Bank of Commerce', digits: TEN },
  KTB: { thai: 'ธนาคารกรุงไทย', english: 'Krungthai Bank', digits: TEN },
  BAY: { thai: 'ธนาคารกรุงศรีอยุธยา', english: 'Bank of Ayudhya (Krungsri)', digits: TEN },
  KBANK: { thai: 'ธนาคารกสิกรไทย', english: 'Kasikornbank', digits: TEN },
  CITI: { thai: 'ธนาคารซิตี้แบงก์', english: 'Citibank', digits: TEN },
  TTB: { thai: 'ธนาคารทหารไทยธนชาต', english: 'TMBThanachart Bank', digits: TEN },
  SCB: { thai: 'ธนาคารไทยพาณิชย์', english: 'Siam Commercial Bank', digits: TEN },
  NBANK: { thai: 'ธนาคารนครหลวงไทย', english: 'Siam City Bank', digits: TEN },
  KKP: { thai: 'ธนาคารเกียรตินาคินภัทร', english: 'Kiatnakin Phatra Bank', digits: [10, 14] },
  GSB: { thai: 'ธนาคารออมสิน', english: 'Government Savings Bank', digits: [12, 15] },
  GHB: { thai: 'ธนาคารอาคารสงเคราะห์', english: 'Government Housing Bank', digits: [12] },
  BAAC: { thai: 'ธนาคารเพื่อการเกษตรและสหกรณ์การเกษตร', english: 'Bank for Agriculture (BAAC)', digits: [12] },
};

export const isBankCode = (text: string): text is BankCode => Object.hasOwn(BANKS, text);

/** True if this bank has account numbers of this length. Rejects a number whose digits are all equal. */
export function isAccountNumber(bank: BankCode, digits: string): boolean {
  return /^[0-9]+$/.test(digits) && BANKS[bank].digits.includes(digits.length) && !/^(.)\1+$/.test(digits);
}

/** A branch of a Thai bank has four digits. */
export const isBranchCode = (text: string): boolean => /^[0-9]{4}$/.test(text);

const SHOWN = 4;
/** Shows only the last four digits, as on a card. */
export const maskedNumber = (digits: string): string => `•••• ${digits.slice(-SHOWN)}`;

/** `m•••@example.com` */
export function maskedEmail(email: string): string {
  const [name = '', host = ''] = email.split('@');
  return `${name.slice(0, 1)}•••@${host}`;
}

export const maskedPhone = (phone: string): string => `••• ${phone.slice(-SHOWN)}`;
