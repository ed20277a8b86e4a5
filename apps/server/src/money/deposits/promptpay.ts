import { formatMoney, type Money } from '@sathorn/money';

/** PromptPay bill payment with a reference: the Bank of Thailand's tag 30 in an EMVCo code. */
const BILL_PAYMENT = 'A000000677010112';
const THB = '764';

const field = (tag: string, value: string): string => `${tag}${String(value.length).padStart(2, '0')}${value}`;

/** CRC-16/CCITT-FALSE, the checksum at the end of EMVCo codes. */
export function crc16(text: string): string {
  let crc = 0xffff;
  for (const byte of Buffer.from(text, 'latin1')) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

/**
 * The text of the QR code that a banking app reads: the payee, the exact amount, and the reference that the bank's line
 * repeats. `biller` has 15 digits; a reference has up to 20 capital letters and digits.
 */
export function promptPayPayload({
  biller,
  baht,
  reference,
}: {
  biller: string;
  baht: Money<'THB'>;
  reference: string;
}): string {
  if (!/^[0-9]{15}$/.test(biller)) throw new RangeError('a biller has 15 digits');
  if (!/^[A-Z0-9]{1,20}$/.test(reference)) throw new RangeError('a reference has capital letters and digits');
  if (baht.units <= 0n) throw new RangeError('an amount is above zero');
  const text = [
    field('00', '01'),
    // Marks the code as valid for one payment.
    field('01', '12'),
    field('30', field('00', BILL_PAYMENT) + field('01', biller) + field('02', reference)),
    field('53', THB),
    field('54', formatMoney(baht)),
    field('58', 'TH'),
    '6304',
  ].join('');
  return text + crc16(text);
}
