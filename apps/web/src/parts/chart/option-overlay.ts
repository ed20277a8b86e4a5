import { registerOverlay } from 'klinecharts';

/** One open option, as it is drawn. */
export interface OptionOverlay {
  /** Direction and stake, at its start price. */
  readonly entry: string;
  /** When it ends, at the top of its line. */
  readonly expiry: string;
  /** Above or below the line, and how many labels stand before it there: so that two orders can both be read. */
  readonly isAbove: boolean;
  readonly column: number;
  readonly row: number;
  readonly colour: string;
  readonly ground: string;
  readonly family: string;
  readonly size: number;
}

export const OPTION_OVERLAY = 'option';

export const COLUMN_WIDTH = 92;
export const COLUMNS = 3;
const ROW_HEIGHT = 13;
const ROWS = 3;

/** Where the labels of an order go among those of the others: up above the line and down below it, side by side. */
export function placeOf<Order extends { readonly direction: 'up' | 'down' }>(
  order: Order,
  all: readonly Order[],
): Pick<OptionOverlay, 'isAbove' | 'column' | 'row'> {
  const alike = all.filter(({ direction }) => direction === order.direction);
  return {
    isAbove: order.direction === 'up',
    column: alike.indexOf(order) % COLUMNS,
    row: all.indexOf(order) % ROWS,
  };
}

// From where the order started to where it ends, at its start price.
registerOverlay<OptionOverlay>({
  name: OPTION_OVERLAY,
  totalStep: 3,
  createPointFigures: ({ coordinates: [start, end], overlay: { extendData: mark }, bounding }) => {
    if (!start || !mark) return [];
    const { colour, family, ground, size } = mark;
    const until = end ? Math.min(end.x, bounding.width) : bounding.width;
    const label = {
      color: colour,
      family,
      size,
      backgroundColor: ground,
      borderRadius: 3,
      paddingLeft: 3,
      paddingRight: 3,
      paddingTop: 1,
      paddingBottom: 1,
    };
    return [
      {
        type: 'line',
        attrs: {
          coordinates: [
            { x: 0, y: start.y },
            { x: bounding.width, y: start.y },
          ],
        },
        styles: { style: 'dashed', color: colour, dashedValue: [4, 4] },
        ignoreEvent: true,
      },
      {
        type: 'line',
        attrs: {
          coordinates: [
            { x: start.x, y: start.y },
            { x: Math.max(start.x, until), y: start.y },
          ],
        },
        styles: { style: 'solid', size: 2, color: colour },
        ignoreEvent: true,
      },
      ...(end && end.x <= bounding.width
        ? [
            {
              type: 'line',
              attrs: {
                coordinates: [
                  { x: end.x, y: 0 },
                  { x: end.x, y: bounding.height },
                ],
              },
              styles: { style: 'dashed', color: colour, dashedValue: [2, 4] },
              ignoreEvent: true,
            },
            {
              type: 'text',
              attrs: { x: end.x - 2, y: mark.row * ROW_HEIGHT, text: mark.expiry, align: 'right', baseline: 'top' },
              styles: label,
              ignoreEvent: true,
            },
          ]
        : []),
      {
        type: 'circle',
        attrs: { x: start.x, y: start.y, r: 3.5 },
        styles: { style: 'fill', color: colour },
        ignoreEvent: true,
      },
      {
        type: 'text',
        attrs: {
          x: 2 + mark.column * COLUMN_WIDTH,
          y: mark.isAbove ? start.y - 2 : start.y + 2,
          text: mark.entry,
          baseline: mark.isAbove ? 'bottom' : 'top',
        },
        styles: label,
        ignoreEvent: true,
      },
    ];
  },
});
