import type { OptionOrder } from '@sathorn/api';
import { serverNowMs } from '@sathorn/app/stream';
import { COINS, isCoinCode } from '@sathorn/money';
import { formatCount, formatDate, formatDecimalText, type Presentation } from '@sathorn/text';
import { useText } from '@sathorn/ui';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { ChartFailed } from '../parts/chart/chart-panel.tsx';
import { chartTextSize } from '../parts/chart/chart-text-size.ts';
import { priceRange } from './live-places.ts';
import { type LiveBet, type LiveColours, type LiveScene, type LiveView, paintLive } from './paint-live.ts';
import { useLivePoints } from './use-live-points.ts';
import './live-line.css';

/** The duration of the line's movement to each new tick. */
const EASE_MS = 200;
/** After a longer gap, such as a lost connection, the line is redrawn without movement. */
const JUMP_MS = 5_000;
/** A price older than this shows its age. */
const AGED_S = 2;
const TEXTS_KEPT = 100;
/** A line that has not begun by then is reported as failed. */
const BEGINS_MS = 10_000;

interface LiveLineProps {
  code: string;
  orders: readonly OptionOrder[];
  /** The id of the bet that the strip below shows. */
  shown: string | undefined;
  isOld: boolean;
  /** Reads the newest price again, from which the line starts. */
  onRetry: () => void;
}

/** The last 90 seconds as a line of the index's own ticks, with the customer's bets. Drawn from left to right. */
export function LiveLine({ code, orders, shown, isOld, onRetry }: LiveLineProps) {
  const { t, presentation } = useText();
  const [tries, setTries] = useState(0);
  const [isFailed, setFailed] = useState(false);
  const points = useLivePoints(code, tries);
  const isWaiting = points.length < 2;
  useEffect(() => {
    if (!isWaiting || isFailed) return;
    const timer = setTimeout(() => setFailed(true), BEGINS_MS);
    return () => clearTimeout(timer);
  }, [isWaiting, isFailed]);
  const tryAgain = useCallback(() => {
    setFailed(false);
    setTries((before) => before + 1);
    onRetry();
  }, [onRetry]);
  const canvas = useRef<HTMLCanvasElement>(null);
  const bets = useMemo(
    () => orders.filter(({ name }) => name === code).map((order) => betOf(order, t, presentation)),
    [orders, code, t, presentation],
  );
  const drawing = useRef<LiveDrawing>(undefined);
  const texts = useMemo(() => {
    const decimals = isCoinCode(code) ? COINS[code].indexDecimals : 2;
    const price = (text: string) => formatDecimalText(text, presentation, { minDecimals: decimals });
    return {
      price,
      priceText: remembered((value) => price(value.toFixed(decimals))),
      timeText: remembered((at) => formatDate(at, 'seconds', presentation)),
      leftText: remembered((seconds) => clock(seconds, presentation)),
      ageText: remembered((seconds) => t('price.age', { count: seconds })),
    };
  }, [code, t, presentation]);

  useEffect(() => {
    if (!canvas.current) return;
    const made = new LiveDrawing(canvas.current);
    drawing.current = made;
    return () => made.close();
  }, []);
  useEffect(() => {
    const newest = points.at(-1);
    drawing.current?.show({ ...texts, points, bets, shown, isOld, price: newest ? texts.price(newest.price) : '' });
  }, [points, bets, shown, isOld, texts]);

  return (
    <div className="live-line" dir="ltr">
      <canvas ref={canvas} role="img" aria-label={t('chart.live_label', { coin: code })} />
      {isWaiting && (
        <div className="live-line-waiting" dir="auto">
          {isFailed ? <ChartFailed onRetry={tryAgain} /> : t('chart.loading')}
        </div>
      )}
    </div>
  );
}

type Bet = Omit<LiveBet, 'left'>;

function betOf(
  { id, direction, start_price, start_time, end_time, quantity }: OptionOrder,
  t: ReturnType<typeof useText>['t'],
  presentation: Presentation,
): Bet {
  const stake = formatDecimalText(quantity, presentation, { maxDecimals: 6 });
  return {
    id,
    direction,
    start: start_price === null ? undefined : Number(start_price),
    startsAt: Date.parse(start_time),
    endsAt: Date.parse(end_time),
    label: t(direction === 'up' ? 'chart.entry_up' : 'chart.entry_down', { stake }),
  };
}

/** Keeps the newest texts: each frame asks for the same ones, and formatting is the most expensive part of drawing. */
function remembered(textOf: (value: number) => string): (value: number) => string {
  const texts = new Map<number, string>();
  return (value) => {
    const text = texts.get(value) ?? textOf(value);
    if (texts.size > TEXTS_KEPT) texts.clear();
    texts.set(value, text);
    return text;
  };
}

/** Minutes and seconds, such as 0:17. */
function clock(seconds: number, presentation: Presentation): string {
  const two = formatCount(seconds % 60, presentation).padStart(2, formatCount(0, presentation));
  return `${formatCount(Math.floor(seconds / 60), presentation)}:${two}`;
}

interface Shown extends Pick<LiveScene, 'points' | 'shown' | 'isOld' | 'price' | 'priceText' | 'timeText'> {
  readonly bets: readonly Bet[];
  readonly leftText: (seconds: number) => string;
  readonly ageText: (seconds: number) => string;
}

/** Keeps the canvas up to date. It draws only while something moves: after a tick, and when a second has passed. */
class LiveDrawing {
  readonly #canvas: HTMLCanvasElement;
  #size = { width: 0, height: 0 };
  readonly #stops: (() => void)[] = [];
  #what: Shown | undefined;
  #colours: LiveColours;
  #family = '';
  #textSize = 11;
  #from: LiveView | undefined;
  #to: LiveView | undefined;
  #since = 0;
  #frame = 0;

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
    this.#colours = this.#readLook();
    // Reading the canvas's size in each frame would force a layout.
    const sizes = new ResizeObserver(([entry]) => {
      if (entry) this.#size = entry.contentRect;
      this.#draw();
    });
    sizes.observe(canvas);
    const looks = new MutationObserver(() => {
      this.#colours = this.#readLook();
      this.#ask();
    });
    looks.observe(document.documentElement, { attributeFilter: ['data-theme', 'data-rise', 'lang'] });
    const timer = setInterval(() => this.#ask(), 500);
    this.#stops.push(
      () => sizes.disconnect(),
      () => looks.disconnect(),
      () => clearInterval(timer),
      () => cancelAnimationFrame(this.#frame),
    );
  }

  close(): void {
    for (const stop of this.#stops) stop();
  }

  show(what: Shown): void {
    this.#what = what;
    const newest = what.points.at(-1);
    if (newest) {
      const starts = what.bets.flatMap(({ start }) => start ?? []);
      const to = { at: newest.at, value: newest.value, ...priceRange([...what.points.map((p) => p.value), ...starts]) };
      const before = this.#to;
      if (!before || Math.abs(to.at - before.at) > JUMP_MS || matchMedia('(prefers-reduced-motion: reduce)').matches)
        this.#from = to;
      else if (to.at !== before.at || to.low !== before.low || to.high !== before.high) {
        this.#from = this.#view();
        this.#since = performance.now();
      }
      this.#to = to;
    }
    this.#ask();
  }

  #ask(): void {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
      if (this.#progress() < 1) this.#ask();
    });
  }

  #progress(): number {
    return this.#from === this.#to ? 1 : Math.min(1, (performance.now() - this.#since) / EASE_MS);
  }

  #view(): LiveView | undefined {
    const [from, to] = [this.#from, this.#to];
    if (!from || !to) return to;
    const share = 1 - (1 - this.#progress()) ** 2;
    const between = (a: number, b: number) => a + (b - a) * share;
    return {
      at: between(from.at, to.at),
      value: between(from.value, to.value),
      low: between(from.low, to.low),
      high: between(from.high, to.high),
    };
  }

  #draw(): void {
    const view = this.#view();
    const context = this.#canvas.getContext('2d');
    const { width, height } = this.#size;
    if (!this.#what || !view || !context || width === 0 || height === 0) return;
    const ratio = Math.min(devicePixelRatio, 3);
    const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.#canvas.width !== wide || this.#canvas.height !== high) {
      this.#canvas.width = wide;
      this.#canvas.height = high;
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const { bets, leftText, ageText, ...what } = this.#what;
    const now = serverNowMs();
    const age = Math.floor((now - (this.#to?.at ?? now)) / 1000);
    paintLive(context, {
      ...what,
      bets: bets.map((bet) => ({ ...bet, left: leftText(Math.max(0, Math.ceil((bet.endsAt - now) / 1000))) })),
      view,
      width,
      height,
      age: age >= AGED_S ? ageText(age) : null,
      colours: this.#colours,
      family: this.#family,
      textSize: this.#textSize,
    });
  }

  /** Reads the current colours of the tokens, because a canvas cannot use custom properties. */
  #readLook(): LiveColours {
    const tokens = getComputedStyle(document.documentElement);
    const colour = (name: string) => tokens.getPropertyValue(`--${name}`).trim();
    this.#family = getComputedStyle(document.body).fontFamily;
    this.#textSize = chartTextSize();
    return {
      line: colour('brand-ink'),
      old: colour('ink-3'),
      grid: colour('line'),
      quiet: colour('ink-3'),
      flag: colour('ink'),
      onFlag: colour('paper'),
      up: colour('buy'),
      down: colour('sell'),
      onBet: colour('on-colour'),
      onLine: colour('paper'),
    };
  }
}
