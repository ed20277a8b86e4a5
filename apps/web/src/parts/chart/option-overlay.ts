import { registerOverlay } from 'klinecharts';
import { type ChartMarkLook, dashedLineFigure, dotFigure, solidLineFigure, textFigure } from './chart-figures.ts';

/** An open option in the form in which the chart draws it. */
export interface OptionOverlay extends ChartMarkLook {
  /** Direction and stake, shown at the start price. */
  readonly entry: string;
  /** The end time, shown at the top of its line. */
  readonly expiry: string;
  /** The label's side of the line, and the number of labels before it there, so that labels do not overlap. */
  readonly isAbove: boolean;
  readonly column: number;
  readonly row: number;
}

export const OPTION_OVERLAY = 'option';

export const LABEL_COLUMN_WIDTH = 92;
export const LABEL_COLUMNS = 3;
const ROW_HEIGHT = 13;
const ROWS = 3;

/** Returns the position of an order's label: above the line for up, below it for down, after the other labels there. */
export function labelPlaceOf<Order extends { readonly direction: 'up' | 'down' }>(
  order: Order,
  all: readonly Order[],
): Pick<OptionOverlay, 'isAbove' | 'column' | 'row'> {
  const alike = all.filter(({ direction }) => direction === order.direction);
  return {
    isAbove: order.direction === 'up',
    column: alike.indexOf(order) % LABEL_COLUMNS,
    row: all.indexOf(order) % ROWS,
  };
}

// Draws a line from the order's start to its end, at its start price.
registerOverlay<OptionOverlay>({
  name: OPTION_OVERLAY,
  totalStep: 3,
  createPointFigures: ({ coordinates: [start, end], overlay: { extendData: mark }, bounding }) => {
    if (!start || !mark) return [];
    const { width, height } = bounding;
    const until = end ? Math.min(end.x, width) : width;
    return [
      dashedLineFigure({ x: 0, y: start.y }, { x: width, y: start.y }, mark.colour, [4, 4]),
      solidLineFigure(start, { x: Math.max(start.x, until), y: start.y }, mark.colour),
      ...(end && end.x <= width
        ? [
            dashedLineFigure({ x: end.x, y: 0 }, { x: end.x, y: height }, mark.colour, [2, 4]),
            textFigure(
              { x: end.x - 2, y: mark.row * ROW_HEIGHT, text: mark.expiry, align: 'right', baseline: 'top' },
              mark,
            ),
          ]
        : []),
      dotFigure(start, mark.colour),
      textFigure(
        {
          x: 2 + mark.column * LABEL_COLUMN_WIDTH,
          y: mark.isAbove ? start.y - 2 : start.y + 2,
          text: mark.entry,
          baseline: mark.isAbove ? 'bottom' : 'top',
        },
        mark,
      ),
    ];
  },
});
