/** `+66 8•••••678`: enough to recognise, too little to call. */
export function maskPhone(phone: string | null): string | null {
  return phone && `${phone.slice(0, 4)}${'•'.repeat(Math.max(0, phone.length - 7))}${phone.slice(-3)}`;
}

export function maskEmail(email: string | null): string | null {
  const [local = '', domain = ''] = (email ?? '').split('@');
  return email && `${local.slice(0, 2)}•••@${domain}`;
}

/** The network part of an IP address, without the subscriber's. */
export function maskAddress(address: string): string {
  return address.includes(':')
    ? `${address.split(':').slice(0, 2).join(':')}:…`
    : `${address.split('.').slice(0, 2).join('.')}.•.•`;
}

const BANDS = [1n, 100n, 1_000n, 10_000n, 100_000n, 1_000_000n];

/** An upper bound instead of the amount, for roles that need only its magnitude. */
export function amountBandOf(units: bigint, scale: number): string {
  const whole = units / 10n ** BigInt(scale);
  if (units === 0n) return '0';
  const above = BANDS.find((band) => whole < band);
  return above === undefined ? `> ${BANDS.at(-1)}` : `< ${above}`;
}

/** The band of a decimal; a negative amount keeps its sign. */
export function amountBandOfText(decimal: string, scale: number): string {
  const [whole = '0', fraction = ''] = decimal.replace('-', '').split('.');
  const band = amountBandOf(BigInt(whole + fraction.slice(0, scale).padEnd(scale, '0')), scale);
  return decimal.startsWith('-') && band !== '0' ? `−(${band})` : band;
}

/** Shows only both ends of a number or an address: enough to distinguish two, not enough to pay to one. */
export const maskPayee = (number: string): string =>
  number.startsWith('0x') ? `${number.slice(0, 6)}…${number.slice(-4)}` : `••${number.slice(-4)}`;
