import { registerOverlay } from 'klinecharts';
import { type ChartMarkLook, dashedLineFigure, textFigure } from './chart-figures.ts';
import { LABEL_COLUMN_WIDTH } from './option-overlay.ts';

/** A resting order's price in the form in which the chart draws it. */
export interface OrderOverlay extends ChartMarkLook {
  readonly label: string;
  /** The label's column, which keeps labels of close prices apart. */
  readonly column: number;
}

export const ORDER_OVERLAY = 'order';

registerOverlay<OrderOverlay>({
  name: ORDER_OVERLAY,
  totalStep: 2,
  createPointFigures: ({ coordinates: [place], overlay: { extendData: order }, bounding }) => {
    // Draws nothing for a price out of view.
    if (!place || !order || place.y < 0 || place.y > bounding.height) return [];
    return [
      dashedLineFigure({ x: 0, y: place.y }, { x: bounding.width, y: place.y }, order.colour, [6, 3]),
      textFigure(
        { x: 2 + order.column * LABEL_COLUMN_WIDTH, y: place.y, text: order.label, baseline: 'middle' },
        order,
      ),
    ];
  },
});
