import { cleanText, normaliseWord, toCommonEra } from '@sathorn/identity';
import {
  type AssetCode,
  type CoinCode,
  isAssetCode,
  isCoinCode,
  type Money,
  type Price,
  parseMoney,
  parsePrice,
} from '@sathorn/money';
import * as v from 'valibot';
import type { FieldFault } from './refusals.ts';

export { cleanText };

/** Field schemas use fault codes as messages. `packages/text` has the sentences. */
export const fieldFault = (code: FieldFault): FieldFault => code;

export const boundedText = (min: number, max: number) =>
  v.pipe(
    v.string(fieldFault('required')),
    v.minLength(min, fieldFault(min === 1 ? 'required' : 'too_short')),
    v.maxLength(max, fieldFault('too_long')),
  );

/**
 * A field for one kind of typed text: limits its length, cleans it with the kind's function, and validates it
 * afterwards.
 */
export const typedText = (read: (text: string) => string, max = 400) =>
  v.pipe(v.string(fieldFault('required')), v.maxLength(max, fieldFault('too_long')), v.transform(read));

/** A field for text that one person writes for others to read. */
export const remarkText = (max: number) =>
  v.pipe(
    v.string(fieldFault('required')),
    v.transform((written) => cleanText(written).trim()),
    v.minLength(1, fieldFault('required')),
    v.maxLength(max, fieldFault('too_long')),
  );

/** A search term: a number, a name or a contact. */
export const searchText = (max: number) =>
  v.pipe(typedText(normaliseWord, max), v.minLength(1, fieldFault('required')));

/** An amount of a known asset. The schema accepts zero; the engine decides whether zero is allowed. */
export const amountOf = <A extends AssetCode>(asset: A) =>
  v.pipe(
    v.string(fieldFault('required')),
    v.minLength(1, fieldFault('required')),
    v.rawTransform<string, Money<A>>(({ dataset, addIssue, NEVER }) => {
      const amount = parseMoney(asset, dataset.value);
      if (amount) return amount;
      addIssue({ message: fieldFault('amount_malformed') });
      return NEVER;
    }),
  );
export const usdtAmount = amountOf('USDT');

/** An amount whose asset is in another field. It is parsed once that field is known. */
export const amountText = v.pipe(
  v.string(fieldFault('required')),
  v.minLength(1, fieldFault('required')),
  v.maxLength(40, fieldFault('amount_malformed')),
);

export const priceField = v.pipe(
  v.string(fieldFault('required')),
  v.rawTransform<string, Price>(({ dataset, addIssue, NEVER }) => {
    const parsed = parsePrice(dataset.value);
    if (parsed !== undefined) return parsed;
    addIssue({ message: fieldFault('price_malformed') });
    return NEVER;
  }),
);

/** A price that is stored unchanged, so it must fit into the database's column. */
export const storedPrice = v.pipe(
  priceField,
  v.check((units) => units < 2n ** 63n, fieldFault('price_malformed')),
);

export const coinCode = v.pipe(
  v.string(fieldFault('coin_required')),
  v.check(isCoinCode, fieldFault('coin_unknown')),
  v.transform((code) => code as CoinCode),
);
/** The lengths of candles. */
export const INTERVALS = ['1m', '5m', '15m', '30m', '1h', '4h', '1d', '1w'] as const;
export type Interval = (typeof INTERVALS)[number];

export const assetCode = v.pipe(
  v.string(fieldFault('required')),
  v.check(isAssetCode, fieldFault('asset_unknown')),
  v.transform((code) => code as AssetCode),
);

export const choiceOf = <const Options extends readonly [string, ...string[]]>(options: Options) =>
  v.picklist(options, fieldFault('choice_unknown'));

/** Numbers that count or measure time, never money. */
export const wholeNumber = (min: number, max: number) =>
  v.pipe(
    v.string(fieldFault('required')),
    v.regex(/^(0|[1-9][0-9]{0,9})$/, fieldFault('malformed')),
    v.transform(Number),
    v.check((n) => n >= min && n <= max, fieldFault('malformed')),
  );

/** The form of a uuid that the database accepts. */
export const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
export const uuid = v.pipe(
  v.string(fieldFault('required')),
  v.regex(new RegExp(`^${UUID}$`), fieldFault('id_malformed')),
);
/** A cursor in a list that is ordered by time, then by id. */
export const TIME_AND_UUID = `[0-9]{13}\\.${UUID}`;

/** False for dates that do not exist: a JavaScript date would turn 30 February into 2 March. */
function isDayOf(written: string): boolean {
  const at = new Date(`${written.slice(0, 10)}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(written.slice(0, 10));
}

/** A time with its zone. ISO 8601 allows more zones than JavaScript can read. */
export const isoTime = v.pipe(
  v.string(fieldFault('required')),
  v.isoTimestamp(fieldFault('malformed')),
  v.check((written) => !Number.isNaN(Date.parse(written)) && isDayOf(written), fieldFault('malformed')),
);
/** A time chosen by a person: converts a year of the Buddhist era, and rejects a year that Date cannot hold. */
export const chosenTime = v.pipe(
  v.string(fieldFault('required')),
  v.transform(toCommonEra),
  isoTime,
  v.check((written) => /^(?:19[7-9]|20[0-9])[0-9]-/.test(written), fieldFault('malformed')),
);
export const chosenInstant = v.pipe(
  chosenTime,
  v.transform((written) => new Date(written)),
);

export const id = v.pipe(
  v.string(fieldFault('required')),
  v.regex(/^[A-Za-z0-9_-]{1,64}$/, fieldFault('id_malformed')),
);
/**
 * The previous page's `next` in the list's own format, or the specification's page number. An empty value or 0 starts
 * the list. Anything else is rejected: otherwise a client with a damaged `next` would read the first page for ever.
 */
export const pageField = (next: string) =>
  v.optional(v.pipe(v.string(), v.regex(new RegExp(`^(?:[0-9]{0,9}|${next})$`), fieldFault('malformed'))));

/** Display currencies; used for presentation only. */
export const CURRENCIES = ['BAHT', 'USD', 'CNY', 'JPY', 'AED', 'INR', 'VND'] as const;
export const currency = choiceOf(CURRENCIES);
export type Currency = (typeof CURRENCIES)[number];

// Shapes of results.
export const decimalText = v.pipe(v.string(), v.regex(/^-?[0-9]+(\.[0-9]+)?$/));
export const emptyResult = v.strictObject({});
export const noFields = v.object({});
export const pagedListOf = <Item extends v.GenericSchema>(item: Item) =>
  v.object({ items: v.array(item), next: v.nullable(v.string()) });
