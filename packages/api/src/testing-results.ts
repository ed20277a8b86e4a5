import * as v from 'valibot';
import type { Call } from './call.ts';
import { CALLS } from './calls.ts';

/** The raw id by which tests find pages that wrongly show one. */
export const SAMPLE_ID = 'd849b1ae-36ec-4c0f-9d5e-1f2a3b4c5d6e';
const HASH = '0x6f1d3a9be8c7425f0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f6071';
const FINGERPRINT = 'c19d0b6e'.repeat(8);
const AMOUNT = '4488.829981';
const TIME = '2026-11-25T08:00:00.000Z';

/** Sample texts by field name. All other fields get an id. */
const TEXTS: readonly (readonly [names: RegExp, text: string])[] = [
  [/^(order_number|number|order)$/, 'W-261126-W9F1W1ZS'],
  [/fingerprint/, FINGERPRINT],
  [/hash|digest|^transaction$/, HASH],
  [
    /address|^(guard|hot|modules|multi_send|previous|receiver|safe|token)$/,
    '0x8B4d748FD0Ace46B2b2E64cE1b8063443F267537',
  ],
  [/username|work_name|nickname|payer|name$|^by$|checked_by/, 'krit'],
  [/^asset$|coin|currency/, 'USDT'],
  [/(same|similar)_picture_as/, 'D-261126-ACS2S6EJ'],
  [/purpose|debit$|credit$/, 'spot'],
  [/^value$/, '65000.000000'],
  [/^step$/, 'done'],
  [/^roles?$/, 'finance'],
  [/reference/, 'SAWVRQAYBT6J'],
  [/^rate$/, '33.416250'],
  [/birth_date|^expires$/, '1990-01-31'],
  [/channel|network|chain|^bank$/, 'testnet'],
  [/nonce|height|sequence|^n$/, '1024'],
  [/_price$|^price$/, '141251.67'],
  [/^device$/, 'Chrome on Android'],
  [/^contacts$/, '+66 8•• ••• •42'],
  [/data_url/, 'data:image/png;base64,iVBORw0KGgo='],
  [/url|link|explorer/, 'https://example.com/'],
  [
    /words|text|command|statement|answer|question|title|body|summary|note|customer_view|status|code|level|language|kind|reason/,
    'words',
  ],
];
const TRIED = [AMOUNT, TIME, FINGERPRINT, '7062192162', '2026-11-25', '1', 'words', ''];

type Overrides = Readonly<Record<string, unknown>>;

function sample(schema: v.GenericSchema, name: string, overrides: Overrides): unknown {
  if (Object.hasOwn(overrides, name)) {
    const wanted = overrides[name];
    if (v.safeParse(schema, wanted).success) return wanted;
  }
  const any = schema as unknown as {
    readonly type: string;
    readonly entries: Readonly<Record<string, v.GenericSchema>>;
    readonly wrapped: v.GenericSchema;
    readonly item: v.GenericSchema;
    readonly items: readonly v.GenericSchema[];
    readonly options: readonly unknown[];
    readonly literal: unknown;
    readonly key: v.GenericSchema;
    readonly value: v.GenericSchema;
  };
  switch (any.type) {
    case 'object':
    case 'strict_object':
    case 'loose_object':
      return Object.fromEntries(
        Object.entries(any.entries).map(([key, entry]) => [key, sample(entry, key, overrides)]),
      );
    case 'nullable':
    case 'nullish':
    case 'optional':
    case 'exact_optional':
      return sample(any.wrapped, name, overrides);
    case 'array':
      return [sample(any.item, name, overrides)];
    case 'tuple':
      return any.items.map((item) => sample(item, name, overrides));
    case 'picklist':
      return any.options[0];
    case 'literal':
      return any.literal;
    case 'union':
    case 'variant':
      return sample(any.options[0] as v.GenericSchema, name, overrides);
    case 'record': {
      const keys = (any.key as unknown as { readonly options?: readonly string[] }).options ?? ['en'];
      return Object.fromEntries(keys.map((key) => [key, sample(any.value, name, overrides)]));
    }
    case 'boolean':
      return true;
    case 'number':
      return 1;
    case 'null':
      return null;
    default: {
      const named = TEXTS.find(([names]) => names.test(name))?.[1];
      const texts = [...(named === undefined ? [] : [named]), SAMPLE_ID, ...TRIED];
      return texts.find((text) => v.safeParse(schema, text).success) ?? '';
    }
  }
}

/** A value in which every part of the schema is present. */
export const sampleOf = (schema: v.GenericSchema): unknown => sample(schema, '', {});

const BY_PATH = new Map(Object.values<Call>(CALLS).map((call) => [`${call.method} ${call.path}`, call]));

/**
 * Returns an answer to a call in which every part is present, so that a test can show a page data that it seldom gets.
 * `overrides` replace fields by name wherever the value fits the schema. Returns undefined for an unknown call.
 */
export function sampleResult(method: string, path: string, overrides: Overrides = {}): unknown {
  const call = BY_PATH.get(`${method} ${path}`);
  return call && sample(call.result, '', overrides);
}
