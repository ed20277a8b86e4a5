import { registerOverlay } from 'klinecharts';
import { dashedLine, type MarkLook, words } from './figures.ts';
import { COLUMN_WIDTH } from './option-overlay.ts';

/** A resting order's price in the form in which the chart draws it. */
export interface OrderOverlay extends MarkLook {
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
      dashedLine({ x: 0, y: place.y }, { x: bounding.width, y: place.y }, order.colour, [6, 3]),
      words({ x: 2 + order.column * COLUMN_WIDTH, y: place.y, text: order.label, baseline: 'middle' }, order),
    ];
  },
});
