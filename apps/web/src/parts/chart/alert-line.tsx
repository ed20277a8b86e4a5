import { Button } from '@sathorn/ui';
import type { Chart } from 'klinecharts';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { CANDLE_PANE_ID } from './indicators.ts';

/** The axis follows the candles, and the line's position follows the axis this often. */
const FOLLOW_MS = 250;
/** Arrow keys move the line by this part of the price. */
const KEY_PARTS = 1_000;

interface AlertLineProps {
  chart: Chart;
  decimals: number;
  label: string;
  setLabel: string;
  cancelLabel: string;
  priceText: (price: number) => string;
  onSet: (price: string) => void;
  onCancel: () => void;
}

/** A line over the candles that a finger or arrow keys move to the price of a new alert. */
export function AlertLine({
  chart,
  decimals,
  label,
  setLabel,
  cancelLabel,
  priceText,
  onSet,
  onCancel,
}: AlertLineProps) {
  // Numbers are precise enough for a position on the chart. The alert uses the price as the displayed text.
  const [price, setPrice] = useState(() => chart.getDataList().at(-1)?.close ?? 0);
  const [, follow] = useState(0);
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const timer = setInterval(() => follow((count) => count + 1), FOLLOW_MS);
    line.current?.focus({ preventScroll: true });
    return () => clearInterval(timer);
  }, []);

  const pixel = chart.convertToPixel({ value: price }, { paneId: CANDLE_PANE_ID });
  const height = chart.getSize(CANDLE_PANE_ID)?.height ?? 0;
  const y = Math.min(Math.max(0, (Array.isArray(pixel) ? undefined : pixel.y) ?? 0), height);

  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const place = event.currentTarget.parentElement?.getBoundingClientRect();
    if (!place) return;
    const within = Math.min(Math.max(0, event.clientY - place.top), height);
    const point = chart.convertFromPixel([{ y: within }], { paneId: CANDLE_PANE_ID });
    const value = (Array.isArray(point) ? point[0] : point)?.value;
    if (value !== undefined && value > 0) setPrice(Number(value.toFixed(decimals)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const way = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    if (event.key === 'Enter') onSet(price.toFixed(decimals));
    if (way === 0) return;
    event.preventDefault();
    setPrice(Number((price + (way * price) / KEY_PARTS).toFixed(decimals)));
  };
  return (
    <div className="chart-alert">
      <div
        ref={line}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-orientation="vertical"
        aria-valuenow={price}
        aria-valuetext={priceText(price)}
        className="chart-alert-line"
        style={{ insetBlockStart: y }}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={drag}
        onKeyDown={onKeyDown}
      >
        <span className="num" dir="ltr">
          {priceText(price)}
        </span>
      </div>
      <div className="chart-alert-acts">
        <Button size="small" onClick={() => onSet(price.toFixed(decimals))}>
          {setLabel}
        </Button>
        <Button size="small" look="soft" onClick={onCancel}>
          {cancelLabel}
        </Button>
      </div>
    </div>
  );
}
