import type { IndicatorCreate } from 'klinecharts';
import { CANDLE_PANE_ID } from './indicators.ts';

/** One fill of the customer's orders, at its time and price. */
export interface ChartFill {
  readonly side: 'buy' | 'sell';
  readonly price: string;
  readonly at: string;
}

export const FILLS_INDICATOR = 'fills';
const HALF_PX = 5;
const HEIGHT_PX = 8;

/**
 * Draws a triangle per fill that points at its price: a buy from below, a sale from above. It is an indicator without
 * values, because the library would draw an overlay of an older fill at the first candle.
 */
export function fillsDrawing(fills: readonly ChartFill[], colourOf: (name: string) => string): IndicatorCreate {
  return {
    name: 'MA',
    id: FILLS_INDICATOR,
    paneId: CANDLE_PANE_ID,
    figures: [],
    calc: (bars) => bars.map(() => ({})),
    draw: ({ ctx, chart, xAxis, yAxis }) => {
      const [first] = chart.getDataList();
      if (!first) return true;
      ctx.save();
      ctx.lineWidth = 1;
      ctx.strokeStyle = colourOf('paper');
      for (const { side, price, at } of fills) {
        const time = Date.parse(at);
        if (time < first.timestamp) continue;
        const x = xAxis.convertTimestampToPixel(time);
        // A number is precise enough for drawing.
        const y = yAxis.convertToPixel(Number(price));
        const foot = y + (side === 'buy' ? HEIGHT_PX : -HEIGHT_PX);
        ctx.fillStyle = colourOf(side);
        ctx.beginPath();
        ctx.moveTo(x, y);
        ctx.lineTo(x - HALF_PX, foot);
        ctx.lineTo(x + HALF_PX, foot);
        ctx.closePath();
        ctx.fill();
        ctx.stroke();
      }
      ctx.restore();
      return true;
    },
  };
}
