import { registerOverlay } from 'klinecharts';
import { COLUMN_WIDTH } from './option-overlay.ts';

/** A price at which an order waits, as it is drawn. */
export interface OrderOverlay {
  readonly label: string;
  /** So that prices close to each other can both be read. */
  readonly column: number;
  readonly colour: string;
  readonly ground: string;
  readonly family: string;
  readonly size: number;
}

export const ORDER_OVERLAY = 'order';

registerOverlay<OrderOverlay>({
  name: ORDER_OVERLAY,
  totalStep: 2,
  createPointFigures: ({ coordinates: [place], overlay: { extendData: order }, bounding }) => {
    // Nothing for a price that is not in view.
    if (!place || !order || place.y < 0 || place.y > bounding.height) return [];
    const { label, column, colour, ground, family, size } = order;
    return [
      {
        type: 'line',
        attrs: {
          coordinates: [
            { x: 0, y: place.y },
            { x: bounding.width, y: place.y },
          ],
        },
        styles: { style: 'dashed', color: colour, dashedValue: [6, 3] },
        ignoreEvent: true,
      },
      {
        type: 'text',
        attrs: { x: 2 + column * COLUMN_WIDTH, y: place.y, text: label, baseline: 'middle' },
        styles: {
          style: 'stroke_fill',
          color: colour,
          family,
          size,
          backgroundColor: ground,
          borderRadius: 3,
          borderStyle: 'solid',
          borderSize: 1,
          borderColor: colour,
          paddingLeft: 4,
          paddingRight: 4,
          paddingTop: 1,
          paddingBottom: 1,
        },
        ignoreEvent: true,
      },
    ];
  },
});
