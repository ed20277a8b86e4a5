import type { OverlayFigure } from 'klinecharts';

/** The appearance of a mark. */
export interface ChartMarkLook {
  readonly colour: string;
  /** The colour behind the text, so that candles do not cross it. */
  readonly ground: string;
  readonly family: string;
  readonly size: number;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Marks let presses through to the chart. */
const ignoreEvent = true;

export const dashedLineFigure = (from: Point, to: Point, color: string, dashedValue: number[]): OverlayFigure => ({
  type: 'line',
  attrs: { coordinates: [from, to] },
  styles: { style: 'dashed', color, dashedValue },
  ignoreEvent,
});

export const solidLineFigure = (from: Point, to: Point, color: string): OverlayFigure => ({
  type: 'line',
  attrs: { coordinates: [from, to] },
  styles: { size: 2, color },
  ignoreEvent,
});

export const dotFigure = ({ x, y }: Point, color: string): OverlayFigure => ({
  type: 'circle',
  attrs: { x, y, r: 3.5 },
  styles: { color },
  ignoreEvent,
});

/** Returns a text on a background. */
export const textFigure = (
  attrs: Point & { text: string; align?: CanvasTextAlign; baseline: CanvasTextBaseline },
  { colour, ground, family, size }: ChartMarkLook,
): OverlayFigure => ({
  type: 'text',
  attrs,
  styles: {
    color: colour,
    family,
    size,
    backgroundColor: ground,
    borderRadius: 3,
    paddingLeft: 3,
    paddingRight: 3,
    paddingTop: 1,
    paddingBottom: 1,
  },
  ignoreEvent,
});
