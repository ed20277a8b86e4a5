/**
 * Common six-digit payment passwords, which are rejected. Without this list, a handful of guesses would open about a
 * tenth of all accounts.
 */
const KNOWN = new Set(
  [
    // Keypad words, constants, songs, films, lucky numbers, and "I love you" in Chinese.
    '007007 142857 314159 271828 112358 161803 141421 173205 299792 602214 662607 101112 102030 203040 010203 020406 030609',
    '135790 246810 147258 147852 258369 258852 369258 369852 159357 159753 357159 357951 753159 753951 951357 951753 963852 963741',
    '852456 456852 741852 741963 789456 789123 456123 123789 456789 123654 321654 321456 147369 147896 321789 987321 741236 369874',
    '258013 258025 000786 786786 520131 520520 521521 521125 201314 131420 131452 168168 168888 888168 886886 888999 666888 888666',
    '778899 998877 696969 420420 690690 101010 110110 911911 119119 191191 199199 000007 123098 098765 567890 192837 918273 283746',
    '124578 235689 134679 976431 124816 248163 100200 200300 100100 121314 212223 142536 415263 748596 152637 263748 374859 162738',
    '090909 080808 070707 060606 112211 221122 332211 445566 554433 334455 223344 998899 889988 123450 543210 012345 110120 120120',
  ]
    .join(' ')
    .split(' '),
);

/** A PIN must have at least this many different digits. */
const DISTINCT_MIN = 3;
const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const isDay = (month: number, day: number): boolean => day >= 1 && day <= (DAYS[month - 1] ?? 0);

/**
 * True for DDMMYY, MMDDYY and YYMMDD, where any two digits may be a year of the common or the Buddhist era, and for
 * MMYYYY and YYYYMM.
 */
function isDate(pin: string): boolean {
  const [a, b, c] = [0, 2, 4].map((at) => Number(pin.slice(at, at + 2))) as [number, number, number];
  if (isDay(b, a) || isDay(a, b) || isDay(b, c)) return true;
  const isYear = (year: number): boolean => (year >= 1930 && year <= 2040) || (year >= 2473 && year <= 2583);
  const isMonth = (month: number): boolean => month >= 1 && month <= 12;
  return (isMonth(a) && isYear(b * 100 + c)) || (isMonth(c) && isYear(a * 100 + b));
}

/** True if the step between all neighbouring digits is the same, also wrapping around: 246802, 987654, 036925. */
function isStaircase(pin: string): boolean {
  const digits = Array.from(pin).map(Number);
  const steps = digits.slice(1).map((digit, i) => (digit - (digits[i] ?? 0) + 10) % 10);
  return steps.every((step) => step === steps[0]);
}

/** True for two alternating counters (102030, 182736) or rising pairs (112233, 445566). */
function isInterleaved(pin: string): boolean {
  const halves = [pin[0], pin[2], pin[4], pin[1], pin[3], pin[5]].map(Number);
  const evenSteps = [1, 2].map((i) => ((halves[i] ?? 0) - (halves[i - 1] ?? 0) + 10) % 10);
  const oddSteps = [4, 5].map((i) => ((halves[i] ?? 0) - (halves[i - 1] ?? 0) + 10) % 10);
  return evenSteps[0] === evenSteps[1] && oddSteps[0] === oddSteps[1];
}

const isRepeated = (pin: string): boolean => [1, 2, 3].some((size) => pin === pin.slice(0, size).repeat(6 / size));
const isMirrored = (pin: string): boolean => pin === Array.from(pin).reverse().join('');
/** True if built from two blocks of three: 111222, 123321. */
function isTwoTriples(pin: string): boolean {
  const isPlain = (half: string): boolean => {
    const [a, b, c] = Array.from(half).map(Number) as [number, number, number];
    return a === b ? b === c : Math.abs(b - a) === 1 && c - b === b - a;
  };
  return isPlain(pin.slice(0, 3)) && isPlain(pin.slice(3));
}

interface PinContext {
  readonly phone: string | null;
}

export function isCommonPin(pin: string, { phone }: PinContext): boolean {
  return (
    KNOWN.has(pin) ||
    new Set(pin).size < DISTINCT_MIN ||
    isRepeated(pin) ||
    isMirrored(pin) ||
    isStaircase(pin) ||
    isInterleaved(pin) ||
    isTwoTriples(pin) ||
    isDate(pin) ||
    (phone?.includes(pin) ?? false)
  );
}
