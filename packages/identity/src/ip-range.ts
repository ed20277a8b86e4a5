/** A range of IP addresses: all that share the first `prefix` bits. A single address has all its bits. */
export interface IpRange {
  readonly family: 4 | 6;
  readonly bits: bigint;
  readonly prefix: number;
}

const LENGTH = { 4: 32, 6: 128 } as const;
/** The first 96 bits of an IPv4 address that is written as IPv6. */
const MAPPED = 0xffffn;

/** Leading zeros are refused, because some programs read them as octal. */
function readIpv4(text: string): bigint | null {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9][0-9]{0,2})$/.test(part) && Number(part) <= 255))
    return null;
  return parts.reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);
}

function groupsOf(text: string): bigint[] | null {
  if (text === '') return [];
  const groups: bigint[] = [];
  const parts = text.split(':');
  for (const [at, part] of parts.entries()) {
    const tail = at === parts.length - 1 && part.includes('.') ? readIpv4(part) : null;
    if (tail !== null) groups.push(tail >> 16n, tail & 0xffffn);
    else if (/^[0-9a-f]{1,4}$/i.test(part)) groups.push(BigInt(`0x${part}`));
    else return null;
  }
  return groups;
}

function readIpv6(text: string): bigint | null {
  const [head = '', tail, more] = text.split('::');
  const [before, after] = [groupsOf(head), groupsOf(tail ?? '')];
  if (before === null || after === null || more !== undefined) return null;
  const missing = 8 - before.length - after.length;
  // `::` stands for one group at least, and an address ends only once in an IPv4 address.
  if (tail === undefined ? missing !== 0 : missing < 1 || head.includes('.')) return null;
  const zeros = Array<bigint>(Math.max(0, missing)).fill(0n);
  return [...before, ...zeros, ...after].reduce((bits, group) => (bits << 16n) | group, 0n);
}

/**
 * Reads an address or a range such as `203.0.113.7`, `203.0.113.0/24` or `2001:db8::/32`. Bits below the prefix are
 * dropped, and IPv4 that is mapped into IPv6 is read as IPv4. Null if it is neither.
 */
export function readIpRange(text: string): IpRange | null {
  const [address = '', prefixText, more] = text.trim().split('/');
  if (more !== undefined || (prefixText !== undefined && !/^(?:0|[1-9][0-9]{0,2})$/.test(prefixText))) return null;
  const family = address.includes(':') ? 6 : 4;
  const bits = family === 6 ? readIpv6(address) : readIpv4(address);
  const prefix = prefixText === undefined ? LENGTH[family] : Number(prefixText);
  if (bits === null || prefix > LENGTH[family]) return null;
  if (family === 6 && bits >> 32n === MAPPED && prefix >= 96)
    return rangeOf({ family: 4, bits: bits & 0xffff_ffffn, prefix: prefix - 96 });
  return rangeOf({ family, bits, prefix });
}

function rangeOf({ family, bits, prefix }: IpRange): IpRange {
  const below = BigInt(LENGTH[family] - prefix);
  return { family, bits: (bits >> below) << below, prefix };
}

/** True if the address is in the range. An IPv6 range contains no IPv4 address. */
export function isInIpRange(address: string, { family, bits, prefix }: IpRange): boolean {
  const read = readIpRange(address);
  const below = BigInt(LENGTH[family] - prefix);
  return (
    read !== null && read.family === family && read.prefix === LENGTH[family] && read.bits >> below === bits >> below
  );
}

/** The range as it is shown and stored: the same text for the same range (RFC 5952). */
export function writeIpRange({ family, bits, prefix }: IpRange): string {
  const address = family === 4 ? writeIpv4(bits) : writeIpv6(bits);
  return prefix === LENGTH[family] ? address : `${address}/${prefix}`;
}

const writeIpv4 = (bits: bigint): string => [24n, 16n, 8n, 0n].map((by) => String((bits >> by) & 0xffn)).join('.');

function writeIpv6(bits: bigint): string {
  const groups = Array.from({ length: 8 }, (_, n) => ((bits >> BigInt(112 - 16 * n)) & 0xffffn).toString(16));
  // The longest run of zeros, the first of equal ones; a single zero is written.
  let [start, length] = [-1, 1];
  for (let from = 0; from < 8; from += 1) {
    let run = 0;
    while (groups[from + run] === '0') run += 1;
    if (run > length) [start, length] = [from, run];
  }
  if (start === -1) return groups.join(':');
  return `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`;
}
