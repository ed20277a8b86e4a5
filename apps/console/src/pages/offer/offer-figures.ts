import type { Texts } from '../../parts/texts/index.ts';

export type OfferFields = Readonly<Record<string, unknown>>;

/** Shares, which people read and type as percentages. */
const RATES = new Set([
  ...['daily_rate', 'rate', 'payout', 'fee', 'maker', 'taker', 'chain_rate', 'bank_rate', 'spread'],
  ...['volatility', 'band'],
]);
const PLAIN = new Set(['seconds', 'closed_seconds', 'licence', 'jurisdiction']);

export type FigureLook = 'flag' | 'rate' | 'plain' | 'amount';
export const figureLookOf = (name: string, value: unknown): FigureLook => {
  if (typeof value === 'boolean') return 'flag';
  if (RATES.has(name)) return 'rate';
  return PLAIN.has(name) ? 'plain' : 'amount';
};

const shifted = (text: string, places: number): string => {
  const [whole = '0', fraction = ''] = text.split('.');
  const digits = whole + fraction;
  const point = whole.length + places;
  const padded = point <= 0 ? digits.padStart(digits.length + 1 - point, '0') : digits.padEnd(point, '0');
  const at = Math.max(point, 1);
  const moved = `${padded.slice(0, at)}.${padded.slice(at)}`.replace(/\.?0*$/, '');
  return moved.replace(/^0+(?=\d)/, '');
};
/** Converts `0.00014` to `0.014` percent. The conversion is exact, because only the decimal point moves. */
export const percentOf = (rate: string): string => shifted(rate, 2);
/** Converts a typed percentage back to a share. Returns other text unchanged, so that the server refuses it. */
export const rateOfPercent = (percent: string): string =>
  /^\d+(\.\d+)?$/.test(percent) ? shifted(percent, -2) : percent;

export interface OfferFigure {
  /** For example `durations.0.payout`. */
  readonly path: string;
  readonly label: string;
  readonly look: FigureLook;
  readonly value: string;
}

/** Display order. The stored fields are sorted by name, but people read the product first and then its limits. */
const ORDER = [
  ...['on_offer', 'offered', 'contracts', 'licence', 'jurisdiction', 'seconds', 'daily_rate', 'payout', 'fee', 'rate'],
  ...[
    'volatility',
    'band',
    'spread',
    'closed_seconds',
    'maker',
    'taker',
    'stages',
    'durations',
    'levels',
    'from',
    'daily_max',
    'min',
    'max',
    'quota',
  ],
  ...['stake_min', 'stake_max', 'amount_min', 'amount_max', 'window_exposure_max', 'coin_exposure_max'],
];
const placeOf = (name: string): number => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
export const sortFields = <Value>(fields: Readonly<Record<string, Value>>): [string, Value][] =>
  Object.entries(fields).sort(([a], [b]) => placeOf(a) - placeOf(b));

const isList = (value: unknown): value is readonly OfferFields[] => Array.isArray(value);

/** Returns the name of a list's item. */
export function listItemName(kind: string, list: string, item: OfferFields, n: number, { t, amount }: Texts): string {
  if (list === 'durations') return t('terms.seconds', { seconds: String(item.seconds) });
  if (list === 'stages') return t('terms.from', { from: amount(String(item.from)) });
  return `VIP ${kind === 'fee' ? n : n + 1}`;
}

/** Returns all figures of the terms with their names, in display order. */
export function figuresOf(kind: string, fields: OfferFields, texts: Texts): OfferFigure[] {
  const { code } = texts;
  const one = (path: string, name: string, value: unknown, of = ''): OfferFigure => ({
    path,
    label: [of, code('terms', name === 'from' ? 'level_from' : name)].filter(Boolean).join(' · '),
    look: figureLookOf(name, value),
    value: String(value),
  });
  return sortFields(fields).flatMap(([name, value]) =>
    isList(value)
      ? value.flatMap((item, n) =>
          sortFields(item)
            .filter(([field]) => field !== 'seconds' && !(name === 'stages' && field === 'from'))
            .map(([field, figure]) =>
              one(`${name}.${n}.${field}`, field, figure, listItemName(kind, name, item, n, texts)),
            ),
        )
      : one(name, name, value),
  );
}

export function figureText({ look, value }: Pick<OfferFigure, 'look' | 'value'>, { t, amount }: Texts): string {
  if (look === 'flag') return t(value === 'true' ? 'terms.on' : 'terms.off');
  if (look === 'rate') return `${percentOf(value)} %`;
  return look === 'amount' ? amount(value) : value || '–';
}
