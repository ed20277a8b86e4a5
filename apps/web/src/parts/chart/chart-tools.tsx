import type { Interval } from '@sathorn/api';
import { Late, type LoadPart, renderNothing } from '@sathorn/app/late';
import { useSession } from '@sathorn/app/session';
import { serverNowMs } from '@sathorn/app/stream';
import { formatCompact, formatDate, formatDecimalText, type Presentation, toOwnDigits } from '@sathorn/text';
import { Button, Sheet, Switch, useMediaQuery, useText } from '@sathorn/ui';
import type { Chart, Crosshair, DeepPartial, KLineData, Styles } from 'klinecharts';
import { useEffect, useLayoutEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import type { AlertSheetProps } from '../alerts/alert-sheet.tsx';
import { useDeskText } from '../text/desk-text.ts';
import { AlertLine } from './alert-line.tsx';
import { chartTextSize } from './chart-text-size.ts';
import { type ChartFill, FILLS_INDICATOR, fillsDrawing } from './fills-drawing.ts';
import {
  CANDLE_PANE_ID,
  INDICATOR_NAMES,
  INDICATORS,
  type IndicatorName,
  indicatorOf,
  panesBelow,
  switchIndicator,
  useIndicators,
} from './indicators.ts';
import { intervalMsOf } from './interval-ms.ts';
import { SIDEWAYS_MEDIA_QUERY } from './sideways.ts';
import { timeLeft } from './time-left.ts';
import './chart-tools.css';

/** The height of an indicator's own pane: the least of it on a short chart, and the most. */
const PANE_HEIGHTS = { min: 42, max: 64 } as const;
/** The height that the candles, the volume and the time axis keep before the panes grow. */
const ABOVE_PANES = 180;
const TOOL_PX = 42;
/** The number of rows in the table that screen readers read in place of the candles. */
const TABLE_ROWS = 12;
const LINES = ['warn', 'brand-ink', 'ink-2'] as const;
const colourOf = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const loadAlerts: LoadPart<AlertSheetProps> = () => import('../alerts/alert-sheet.tsx');

interface ChartToolsProps {
  /** The element that contains the intervals and the chart. */
  panel: HTMLElement | null;
  /** Null while the live line is shown, and until the candles are drawn. */
  chart: Chart | null;
  code: string;
  decimals: number;
  interval: Interval | 'live';
  /** The customer's own fills, if this chart shows any. */
  fills: readonly ChartFill[] | undefined;
}

/** Trading tools for candles: figures under the crosshair, indicators, fills, alerts, full screen. */
export default function ChartTools({ panel, chart, code, decimals, interval, fills }: ChartToolsProps) {
  const t = useDeskText();
  const texts = useText();
  const { presentation } = texts;
  const isCustomer = useSession(({ token }) => token !== null);
  const names = useIndicators((kept) => kept.names);
  const [isChoosing, setChoosing] = useState(false);
  const [isDrawing, setDrawing] = useState(false);
  const [alertAt, setAlertAt] = useState<string>();
  const [isAlertOpen, setAlertOpen] = useState(false);
  const isSideways = useMediaQuery(SIDEWAYS_MEDIA_QUERY);
  const [isFull, setFull] = useState(false);
  const stepMs = interval === 'live' ? 0 : intervalMsOf(interval);
  const panes = interval === 'live' ? 0 : panesBelow(names).length;
  const tools = 1 + (chart ? 1 : 0) + (chart && isCustomer ? 1 : 0);
  const place = panel?.querySelector<HTMLElement>('.chart-place');
  useLayoutEffect(() => {
    panel?.toggleAttribute('data-full', isFull || isSideways);
    panel?.style.setProperty('--panes', String(panes));
    panel?.style.setProperty('--tools', `${tools * TOOL_PX}px`);
  }, [panel, isFull, isSideways, panes, tools]);
  useLook(chart, stepMs, presentation);
  useShownIndicators(chart, names);
  useFills(chart, fills);
  useEffect(() => {
    if (!isFull) return;
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') setFull(false);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [isFull]);
  if (!t) return null;

  const price = (value: number) =>
    formatDecimalText(value.toFixed(decimals), presentation, { minDecimals: decimals, maxDecimals: decimals });
  const nameOf = (name: IndicatorName) =>
    `${name === 'BOLL' ? t('charts.bollinger') : name} ${toOwnDigits(INDICATORS[name].join(' · '), presentation)}`;
  return (
    <>
      <div className="chart-tools">
        {chart && (
          <>
            <Tool label={t('charts.indicators')} path="M3 17l5-7 4 4 8-9M3 21h18" onPress={() => setChoosing(true)} />
            {isCustomer && (
              <Tool
                label={t('charts.draw_alert')}
                path="M7 15v-5a5 5 0 0110 0v5l2 2H5zM10 20h4M1 12h3M20 12h3"
                isPressed={isDrawing}
                onPress={() => setDrawing(!isDrawing)}
              />
            )}
          </>
        )}
        <Tool
          label={t(isFull ? 'charts.not_full' : 'charts.full')}
          path={isFull ? 'M9 4v5H4M15 4v5h5M20 15h-5v5M4 15h5v5' : 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5'}
          onPress={() => setFull(!isFull)}
        />
      </div>
      {chart &&
        place &&
        createPortal(
          <>
            <Legend key={`${code} ${stepMs}`} chart={chart} price={price} />
            <CandleTable chart={chart} code={code} price={price} />
            {isDrawing && (
              <AlertLine
                chart={chart}
                decimals={decimals}
                label={t('charts.alert_line')}
                setLabel={t('charts.set_alert')}
                cancelLabel={texts.t('shell.cancel')}
                priceText={price}
                onCancel={() => setDrawing(false)}
                onSet={(at) => {
                  setDrawing(false);
                  setAlertAt(at);
                  setAlertOpen(true);
                  // The sheet opens over the page, so full screen ends first.
                  setFull(false);
                }}
              />
            )}
          </>,
          place,
        )}
      {alertAt !== undefined && (
        <Late load={loadAlerts} failed={renderNothing}>
          {(AlertSheet) => (
            <AlertSheet
              key={alertAt}
              code={code}
              price={alertAt}
              open={isAlertOpen}
              onClose={() => setAlertOpen(false)}
            />
          )}
        </Late>
      )}
      <Sheet open={isChoosing} onClose={() => setChoosing(false)} title={t('charts.indicators')}>
        {INDICATOR_NAMES.map((name) => (
          <Switch
            key={name}
            label={nameOf(name)}
            checked={names.includes(name)}
            onChange={(isOn) => switchIndicator(name, isOn)}
          />
        ))}
        <Button look="soft" onClick={() => setChoosing(false)}>
          {texts.t('shell.close')}
        </Button>
      </Sheet>
    </>
  );
}

interface ToolProps {
  label: string;
  /** An outline on a 24-unit square, kept apart from the other icons because the first page does not need it. */
  path: string;
  isPressed?: boolean;
  onPress: () => void;
}

function Tool({ label, path, isPressed, onPress }: ToolProps) {
  return (
    <button type="button" aria-label={label} title={label} aria-pressed={isPressed} onClick={onPress}>
      <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
        <path
          d={path}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.8"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
    </button>
  );
}

interface LegendProps {
  chart: Chart;
  price: (value: number) => string;
}

/** Open, high, low, close and volume of the candle under the crosshair, and the values of the indicators there. */
function Legend({ chart, price }: LegendProps) {
  const t = useDeskText();
  const { presentation } = useText();
  const [at, setAt] = useState<{ bar: KLineData; index: number }>();
  useEffect(() => {
    // The library gives the position but not the candle, and sends no event when the pointer leaves.
    const onMove = (data?: unknown) => {
      const { x } = (data ?? {}) as Crosshair;
      if (x === undefined) return;
      const found = chart.convertFromPixel([{ x }], { paneId: CANDLE_PANE_ID });
      const bars = chart.getDataList();
      const index = Math.min((Array.isArray(found) ? found[0] : found)?.dataIndex ?? 0, bars.length - 1);
      const bar = bars[index];
      setAt(bar && { bar, index });
    };
    const onLeave = () => setAt(undefined);
    const stage = chart.getDom();
    chart.subscribeAction('onCrosshairChange', onMove);
    stage?.addEventListener('mouseleave', onLeave);
    return () => {
      chart.unsubscribeAction('onCrosshairChange', onMove);
      stage?.removeEventListener('mouseleave', onLeave);
    };
  }, [chart]);
  if (!at || !t) return null;
  const { open, high, low, close, volume } = at.bar;
  const values = chart
    .getIndicators()
    .filter(({ id }) => INDICATOR_NAMES.some((name) => name === id))
    .flatMap(({ figures, result, id, calcParams }) =>
      figures
        .filter(({ type }) => type === 'line')
        .flatMap(({ key, title = '' }, line) => {
          const value = (result[at.index] as Readonly<Record<string, number | undefined>> | undefined)?.[key];
          return value === undefined
            ? []
            : [
                {
                  key: `${id} ${key}`,
                  // The library numbers the lines of RSI and names those of the other indicators.
                  title: toOwnDigits(
                    id === 'RSI' ? `RSI ${String(calcParams[line])}` : title.replace(/:\s*$/, ''),
                    presentation,
                  ),
                  value: price(value),
                  colour: LINES[line % LINES.length],
                },
              ];
        }),
    );
  const candle = [
    ['charts.open', price(open)],
    ['charts.high', price(high)],
    ['charts.low', price(low)],
    ['charts.close', price(close)],
    ['charts.volume', volume === undefined ? '–' : formatCompact(String(volume), presentation)],
  ] as const;
  return (
    // Hidden from screen readers, which read the table below.
    <div className="chart-legend num" aria-hidden="true">
      {candle.map(([name, figure]) => (
        <span key={name}>
          {t(name)} <b className={close < open ? 'fall' : 'rise'}>{figure}</b>
        </span>
      ))}
      {values.map(({ key, title, value, colour }) => (
        <span key={key} style={{ color: `var(--${colour})` }}>
          {title} {value}
        </span>
      ))}
    </div>
  );
}

/** The latest candles as a table for screen readers. It changes when a new candle begins. */
function CandleTable({ chart, code, price }: LegendProps & { code: string }) {
  const t = useDeskText();
  const { presentation } = useText();
  const [bars, setBars] = useState<readonly KLineData[]>([]);
  useEffect(() => {
    const read = () => {
      const latest = chart.getDataList().slice(-TABLE_ROWS);
      setBars((known) => (known.at(-1)?.timestamp === latest.at(-1)?.timestamp ? known : latest.toReversed()));
    };
    read();
    const timer = setInterval(read, 5_000);
    return () => clearInterval(timer);
  }, [chart]);
  if (!t || bars.length === 0) return null;
  return (
    <table className="unseen">
      <caption>{t('charts.table', { coin: code })}</caption>
      <thead>
        <tr>
          {(['time', 'open', 'high', 'low', 'close'] as const).map((name) => (
            <th key={name} scope="col">
              {t(`charts.${name}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {bars.map(({ timestamp, open, high, low, close }) => (
          <tr key={timestamp}>
            <th scope="row">{formatDate(timestamp, 'dayTime', presentation)}</th>
            {[open, high, low, close].map((value, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the columns are always these four.
              <td key={place}>{price(value)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Sets the marks of high and low, the time until the candle closes, and the colours of the lines, for both themes. */
function useLook(chart: Chart | null, stepMs: number, presentation: Presentation): void {
  useEffect(() => {
    if (!chart) return;
    const dress = () => chart.setStyles(lookNow());
    dress();
    // Runs after the chart itself has changed its theme.
    const looks = new MutationObserver(dress);
    looks.observe(document.documentElement, { attributeFilter: ['data-theme', 'data-rise'] });
    return () => looks.disconnect();
  }, [chart]);
  useEffect(() => {
    chart?.setFormatter({
      formatExtendText: ({ data }) => timeLeft(data.timestamp + stepMs - serverNowMs(), presentation),
    });
  }, [chart, stepMs, presentation]);
}

function lookNow(): DeepPartial<Styles> {
  const family = getComputedStyle(document.body).fontFamily;
  const size = chartTextSize();
  const paper = colourOf('paper');
  const mark = { show: true, color: colourOf('ink-2'), textSize: size, textFamily: family };
  return {
    candle: {
      priceMark: {
        high: mark,
        low: mark,
        last: {
          extendTexts: [
            {
              show: true,
              position: 'below_price',
              updateInterval: 1_000,
              style: 'fill',
              color: paper,
              family,
              size: size - 1,
              weight: 'normal',
              borderStyle: 'solid',
              borderSize: 0,
              borderColor: 'transparent',
              borderDashedValue: [],
              borderRadius: 4,
              paddingLeft: 4,
              paddingRight: 4,
              paddingTop: 1,
              paddingBottom: 2,
            },
          ],
        },
      },
    },
    indicator: {
      lines: LINES.map((name) => ({
        style: 'solid',
        smooth: false,
        size: 1,
        dashedValue: [],
        color: colourOf(name),
      })),
    },
  };
}

function useShownIndicators(chart: Chart | null, names: readonly IndicatorName[]): void {
  useEffect(() => {
    if (!chart) return;
    for (const name of INDICATOR_NAMES) {
      const isShown = chart.getIndicators({ id: name }).length > 0;
      if (isShown === names.includes(name)) continue;
      if (isShown) chart.removeIndicator({ id: name });
      else chart.createIndicator(indicatorOf(name), true);
    }
    const panes = panesBelow(names);
    const place = chart.getDom();
    if (panes.length === 0 || !place) return;
    const { min, max } = PANE_HEIGHTS;
    const fit = () => {
      const height = Math.min(max, Math.max(min, Math.floor((place.clientHeight - ABOVE_PANES) / panes.length)));
      for (const id of panes) chart.setPaneOptions({ id, height, minHeight: min, dragEnabled: false });
    };
    const sizes = new ResizeObserver(fit);
    sizes.observe(place);
    return () => sizes.disconnect();
  }, [chart, names]);
}

function useFills(chart: Chart | null, fills: readonly ChartFill[] | undefined): void {
  useEffect(() => {
    if (!chart || !fills || fills.length === 0) return;
    chart.createIndicator(fillsDrawing(fills, colourOf), true);
    return () => {
      chart.removeIndicator({ id: FILLS_INDICATOR, paneId: CANDLE_PANE_ID });
    };
  }, [chart, fills]);
}
