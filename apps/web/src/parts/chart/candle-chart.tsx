import { type Candle, type Interval, listCandles } from '@sathorn/api';
import { callServer } from '@sathorn/app/client';
import { stream } from '@sathorn/app/stream';
import {
  type DateStyle,
  formatCompact,
  formatDate,
  formatDecimalText,
  isDecimalText,
  type Presentation,
} from '@sathorn/text';
import { useText } from '@sathorn/ui';
import { type Chart, dispose, init, type KLineData } from 'klinecharts';
import { useEffect, useRef, useState } from 'react';
import type { ChartMark } from './chart-mark.ts';
import { chartStyles } from './chart-styles.ts';
import { chartTextSize } from './chart-text-size.ts';
import { emptyBucketsBetween, fillBuckets } from './fill-buckets.ts';
import { letPageScroll } from './let-page-scroll.ts';
import { LABEL_COLUMNS, labelPlaceOf, OPTION_OVERLAY, type OptionOverlay } from './option-overlay.ts';
import { ORDER_OVERLAY, type OrderOverlay } from './order-overlay.ts';
import { withoutCoveredLabels } from './price-ticks.ts';

/** The chart library's names of intervals; `15m` is 15 of the unit minute there. */
const UNITS = ['minute', 'hour', 'day', 'week'] as const;
const periodOf = (interval: Interval) => ({
  type: UNITS.find((unit) => unit.startsWith(interval.slice(-1))) ?? 'minute',
  span: Number.parseInt(interval, 10),
});
const intervalOf = ({ type, span }: { type: string; span: number }): Interval => `${span}${type.charAt(0)}` as Interval;

const UNIT_MS: Readonly<Record<string, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
};
const stepOf = ({ type, span }: { type: string; span: number }): number => span * (UNIT_MS[type] ?? 60_000);

const PAGE = 300;
/** A history that takes longer is reported as failed, so that the customer can try again. It is drawn if it comes. */
const HISTORY_MS = 10_000;
const VOLUME = 'volume';
/** The chart library's group of all our marks. */
const MARKS = 'marks';
const TIME_WIDTH = 34;
const VOLUME_HEIGHT = 44;

// The chart library's date formats, and our styles for them.
const DATE_STYLES: Readonly<Record<string, DateStyle>> = {
  'HH:mm': 'time',
  'MM-DD HH:mm': 'dayTime',
  'YYYY-MM-DD': 'date',
  'YYYY-MM-DD HH:mm': 'dateTime',
};

// Numbers are precise enough for drawing.
const barOf = ([timestamp, open, high, low, close, volume]: Candle): KLineData => ({
  timestamp,
  open: Number(open),
  high: Number(high),
  low: Number(low),
  close: Number(close),
  volume: Number(volume),
});

interface CandleChartProps {
  code: string;
  of: 'index' | 'trades';
  priceDecimals: number;
  interval: Interval;
  marks: readonly ChartMark[];
  /** Called with true when there is no history, and with false when it is there or asked for again. */
  onFailed: (isFailed: boolean) => void;
  /** Passes the chart to the tools above it, and null when the chart is removed. */
  onChart: (chart: Chart | null) => void;
  /** Describes the chart for screen readers. */
  label: string;
}

/** Live candles with marks of the customer's open orders. Always drawn from left to right. */
export default function CandleChart({
  code,
  of,
  priceDecimals,
  interval,
  marks,
  onFailed,
  onChart,
  label,
}: CandleChartProps) {
  const { t, presentation } = useText();
  const place = useRef<HTMLDivElement>(null);
  const [chart, setChart] = useState<Chart | null>(null);
  const [hasBars, setHasBars] = useState(false);
  const shown = useRef<Presentation>(presentation);
  shown.current = presentation;
  const failed = useRef(onFailed);
  failed.current = onFailed;
  useEffect(() => {
    onChart(chart);
    return () => onChart(null);
  }, [chart, onChart]);

  useEffect(() => {
    const element = place.current;
    if (!element) return;
    let isOver = false;
    let close: (() => void) | undefined;
    // Runs each step in its own task, because all steps together would block the page.
    let next = setTimeout(() => {
      const made = begin(element, () => shown.current);
      if (!made) return;
      close = () => dispose(made);
      next = setTimeout(() => {
        close = arrange(
          made,
          element,
          candlesFromServer(of, setHasBars, (isFailed) => isOver || failed.current(isFailed)),
        );
        next = setTimeout(() => setChart(made));
      });
    });
    return () => {
      isOver = true;
      clearTimeout(next);
      close?.();
      setChart(null);
      setHasBars(false);
    };
  }, [of]);

  useEffect(() => {
    if (!chart) return;
    chart.setSymbol({ ticker: code, pricePrecision: priceDecimals, volumePrecision: 2 });
    chart.setPeriod(periodOf(interval));
  }, [chart, code, priceDecimals, interval]);

  useEffect(() => {
    if (!chart) return;
    const tokens = getComputedStyle(document.documentElement);
    const colour = (name: string) => tokens.getPropertyValue(`--${name}`);
    const shared = {
      ground: colour('paper'),
      family: getComputedStyle(document.body).fontFamily,
      size: chartTextSize(),
    };
    chart.removeOverlay({ groupId: MARKS });
    const options = marks.filter((mark) => mark.kind === 'option');
    const orders = marks.filter((mark) => mark.kind === 'order');
    const draw = (
      name: string,
      at: readonly (string | undefined)[],
      value: number,
      look: OptionOverlay | OrderOverlay,
    ) =>
      chart.createOverlay({
        name,
        groupId: MARKS,
        lock: true,
        points: at.map((moment) => (moment ? { timestamp: Date.parse(moment), value } : { value })),
        extendData: look,
      });
    for (const mark of marks) {
      const value = Number(mark.price);
      if (mark.kind === 'option')
        draw(OPTION_OVERLAY, [mark.startsAt, mark.endsAt], value, {
          ...shared,
          ...mark,
          ...labelPlaceOf(mark, options),
          colour: colour('brand-ink'),
        });
      else
        draw(ORDER_OVERLAY, [undefined], value, {
          ...shared,
          ...mark,
          column: orders.indexOf(mark) % LABEL_COLUMNS,
          colour: colour(mark.side),
        });
    }
  }, [chart, marks]);

  return (
    <>
      <div ref={place} className="chart-canvas" dir="ltr" role="img" aria-label={label} />
      {/* Covers the axes, whose figures are made up until the candles are there. */}
      {!hasBars && <div className="chart-waiting chart-covered">{t('chart.loading')}</div>}
    </>
  );
}

/** Creates an empty chart with our own formats. */
function begin(element: HTMLElement, presentation: () => Presentation): Chart | null {
  const format = (value: string): string =>
    isDecimalText(value)
      ? formatDecimalText(value, presentation(), { minDecimals: value.split('.')[1]?.length ?? 0 })
      : value;
  const made = init(element, {
    styles: chartStyles(),
    thousandsSeparator: { sign: ',', format: (value) => format(String(value)) },
    decimalFold: { threshold: 12, format: String },
    formatter: {
      formatDate: ({ timestamp, template }) => formatDate(timestamp, DATE_STYLES[template] ?? 'date', presentation()),
      formatBigNumber: (value) =>
        isDecimalText(String(value)) ? formatCompact(String(value), presentation()) : String(value),
    },
  });
  const stage = element.firstElementChild;
  if (stage instanceof HTMLElement) {
    // The canvas takes no focus, and vertical swipes scroll the page.
    stage.tabIndex = -1;
    stage.style.touchAction = 'pan-y';
    stage.style.overscrollBehavior = 'auto';
  }
  return made;
}

/** Adds the volume, the axes and the source of the candles. Returns a function that disposes of the chart. */
function arrange(made: Chart, element: HTMLElement, loader: Parameters<Chart['setDataLoader']>[0]): () => void {
  // Leaves room for the expiry line of the longest duration.
  made.setOffsetRightDistance(44);
  made.setBarSpace(7);
  // Shows no moving averages, because options do not settle on them.
  made.createIndicator({ name: 'VOL', id: VOLUME, paneId: VOLUME, calcParams: [] });
  made.setPaneOptions({ id: VOLUME, height: VOLUME_HEIGHT, minHeight: VOLUME_HEIGHT, dragEnabled: false });
  // Omits a time label that the edge would clip.
  made.overrideXAxis({
    createTicks: ({ defaultTicks, bounding }) =>
      defaultTicks.filter(({ coord }) => coord > TIME_WIDTH / 2 && coord < bounding.width - TIME_WIDTH / 2),
  });
  made.overrideYAxis({
    createTicks: ({ defaultTicks }) =>
      withoutCoveredLabels(defaultTicks, made.getDataList().at(-1)?.close, chartTextSize()),
  });
  made.setDataLoader(loader);
  const looks = new MutationObserver(() => made.setStyles(chartStyles()));
  looks.observe(document.documentElement, { attributeFilter: ['data-theme', 'data-rise'] });
  const stopScrolling = letPageScroll(element);
  return () => {
    looks.disconnect();
    stopScrolling();
    stopBars();
    dispose(made);
  };
}

let stopBars: () => void = () => {};

/** Loads older pages as the customer drags back; the newest bar comes from the stream. */
function candlesFromServer(
  of: 'index' | 'trades',
  onBars: (areThere: boolean) => void,
  onFailed: (isFailed: boolean) => void,
): Parameters<Chart['setDataLoader']>[0] {
  // The index has a candle in every interval, but trades do not.
  let newest: KLineData | undefined;
  /** Counts the histories asked for, because the answer for an interval may come after another one was chosen. */
  let asked = 0;
  let late: ReturnType<typeof setTimeout> | undefined;
  return {
    async getBars({ type, timestamp, symbol, period, callback }) {
      // The chart library calls older data `forward`.
      if (type !== 'init' && type !== 'forward') return callback([], false);
      if (type === 'init') {
        asked += 1;
        onBars(false);
        onFailed(false);
        clearTimeout(late);
        late = setTimeout(onFailed, HISTORY_MS, true);
      }
      const turn = asked;
      const answer = await callServer(listCandles, {
        code: symbol.ticker,
        interval: intervalOf(period),
        limit: String(PAGE),
        of,
        ...(type === 'forward' && timestamp !== null ? { before: String(timestamp) } : {}),
      });
      const isFirst = type === 'init' && turn === asked;
      if (isFirst) clearTimeout(late);
      if (!answer.ok) {
        if (isFirst) onFailed(true);
        return callback([], false);
      }
      const bars = answer.data.items.map(barOf);
      if (isFirst) {
        newest = bars.at(-1);
        onBars(true);
        onFailed(false);
      }
      callback(of === 'trades' ? fillBuckets(bars, stepOf(period)) : bars, {
        forward: answer.data.items.length > 0 && answer.data.next !== null,
        backward: false,
      });
    },
    subscribeBar({ symbol, period, callback }) {
      stopBars();
      const kind = of === 'trades' ? 'trades_candle' : 'candle';
      stopBars = stream.on(`${kind}:${symbol.ticker}:${intervalOf(period)}`, ({ candle }) => {
        const bar = barOf(candle);
        if (of === 'trades' && newest)
          for (const empty of emptyBucketsBetween(newest, bar.timestamp, stepOf(period))) callback(empty);
        newest = bar;
        callback(bar);
      });
    },
    unsubscribeBar() {
      stopBars();
      stopBars = () => {};
    },
  };
}
