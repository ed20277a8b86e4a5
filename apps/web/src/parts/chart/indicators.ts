import type { IndicatorCreate } from 'klinecharts';
import { create } from 'zustand';

/** The chart library's own indicators, with the parameters that traders expect. */
export const INDICATORS = {
  MA: [7, 25],
  EMA: [12, 26],
  BOLL: [20, 2],
  RSI: [14],
  MACD: [12, 26, 9],
} as const;
export type IndicatorName = keyof typeof INDICATORS;
export const INDICATOR_NAMES = Object.keys(INDICATORS) as IndicatorName[];

/** These are drawn over the candles, the others below them. */
const OVER_CANDLES: ReadonlySet<IndicatorName> = new Set(['MA', 'EMA', 'BOLL']);
export const CANDLE_PANE_ID = 'candle_pane';

export const panesBelow = (names: readonly IndicatorName[]): IndicatorName[] =>
  names.filter((name) => !OVER_CANDLES.has(name));

export const indicatorOf = (name: IndicatorName): IndicatorCreate => ({
  name,
  id: name,
  paneId: OVER_CANDLES.has(name) ? CANDLE_PANE_ID : name,
  calcParams: [...INDICATORS[name]],
  precision: 2,
});

const STORED_AS = 'indicators';

function readKept(): readonly IndicatorName[] {
  try {
    const kept = new Set<unknown>(JSON.parse(localStorage.getItem(STORED_AS) ?? '[]') as unknown[]);
    return INDICATOR_NAMES.filter((name) => kept.has(name));
  } catch {
    return [];
  }
}

/** The indicators that the customer has chosen, shared by all charts. */
export const useIndicators = create<{ readonly names: readonly IndicatorName[] }>(() => ({ names: readKept() }));

export function switchIndicator(name: IndicatorName, isOn: boolean): void {
  const { names } = useIndicators.getState();
  const chosen = INDICATOR_NAMES.filter((each) => (each === name ? isOn : names.includes(each)));
  useIndicators.setState({ names: chosen });
  try {
    localStorage.setItem(STORED_AS, JSON.stringify(chosen));
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
}
