import { formatMoney, formatRate, type Money, money, parseMoney, parseRate, zero } from '@sathorn/money';

type Raw = Readonly<Record<string, unknown>>;
const isRecord = (value: unknown): value is Raw => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads terms that arrived as JSON: normalises each figure and remembers the first faulty field. */
export class FieldsReader {
  readonly #raw: Raw;
  readonly #path: string;
  readonly #faults: string[];

  constructor(raw: unknown, path = '', faults: string[] = []) {
    this.#raw = isRecord(raw) ? raw : {};
    this.#path = path;
    this.#faults = faults;
  }

  /** The first missing or malformed field. */
  get fault(): string | null {
    return this.#faults[0] ?? null;
  }

  #fail(name: string): void {
    this.#faults.push(`${this.#path}${name}`);
  }

  /** USDT with at most six decimals, at least `least` units. */
  usdt(name: string, least = 0n): string {
    const value = this.#raw[name];
    const units = typeof value === 'string' ? parseMoney('USDT', value)?.units : undefined;
    if (units === undefined || units < least || units >= 10n ** 18n) {
      this.#fail(name);
      return '0.000000';
    }
    return formatMoney(money('USDT', units));
  }

  /** A share with at most `decimals` decimals, up to `most`. */
  rate(name: string, most: string, decimals = 8): string {
    const value = this.#raw[name];
    const rate = typeof value === 'string' ? parseRate(value) : undefined;
    const limit = parseRate(most) ?? 0n;
    if (rate === undefined || rate < 0n || rate > limit || rate % 10n ** BigInt(8 - decimals) !== 0n) {
      this.#fail(name);
      return '0';
    }
    return formatRate(rate);
  }

  flag(name: string): boolean {
    const value = this.#raw[name];
    if (typeof value !== 'boolean') this.#fail(name);
    return value === true;
  }

  text(name: string, pattern: RegExp): string {
    const value = this.#raw[name];
    if (typeof value === 'string' && pattern.test(value)) return value;
    this.#fail(name);
    return '';
  }

  list<Item>(name: string, counts: { readonly min: number; readonly max: number }, read: (item: FieldsReader) => Item) {
    const value = this.#raw[name];
    if (!Array.isArray(value) || value.length < counts.min || value.length > counts.max) {
      this.#fail(name);
      return [];
    }
    return value.map((item, n) => read(new FieldsReader(item, `${this.#path}${name}.${n}.`, this.#faults)));
  }

  /** Checks a rule between fields; `name` is the field to report. */
  demand(isRight: boolean, name: string): void {
    if (!isRight) this.#fail(name);
  }
}

/** Parses a stored amount, which this reader has validated before. */
export const storedUsdtOf = (text: unknown): Money<'USDT'> => parseMoney('USDT', String(text)) ?? zero('USDT');
export const storedUnitsOf = (text: unknown): bigint => storedUsdtOf(text).units;
/** Parses a stored rate, into parts of 10^-8. */
export const storedRateOf = (text: unknown): bigint => parseRate(String(text)) ?? 0n;
