import type { DeepPartial, Styles } from 'klinecharts';
import { chartTextSize } from './chart-text-size.ts';

/** Returns the chart's styles with the current colours of the tokens, because a canvas cannot use custom properties. */
export function chartStyles(): DeepPartial<Styles> {
  const token = getComputedStyle(document.documentElement);
  const colour = (name: string) => token.getPropertyValue(`--${name}`).trim();
  const [rise, fall, line, ink, paper, quiet] = ['rise', 'fall', 'line', 'ink', 'paper', 'ink-3'].map(colour) as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  // Volume is drawn fainter than the price.
  const faded = (of: string) => `color-mix(in srgb, ${of} 45%, ${paper})`;
  const family = getComputedStyle(document.body).fontFamily;
  const size = chartTextSize();
  const text = { family, size, color: quiet };
  return {
    grid: { vertical: { show: false }, horizontal: { color: line, style: 'solid' } },
    candle: {
      bar: {
        upColor: rise,
        downColor: fall,
        noChangeColor: quiet,
        upBorderColor: rise,
        downBorderColor: fall,
        noChangeBorderColor: quiet,
        upWickColor: rise,
        downWickColor: fall,
        noChangeWickColor: quiet,
      },
      priceMark: {
        high: { show: false },
        low: { show: false },
        last: {
          upColor: ink,
          downColor: ink,
          noChangeColor: ink,
          line: { style: 'dashed', dashedValue: [2, 3] },
          text: {
            color: paper,
            family,
            size,
            borderRadius: 4,
          },
        },
      },
      tooltip: { showRule: 'none' },
    },
    indicator: {
      bars: [
        {
          style: 'fill',
          borderStyle: 'solid',
          borderSize: 1,
          borderDashedValue: [2, 2],
          upColor: faded(rise),
          downColor: faded(fall),
          noChangeColor: faded(quiet),
        },
      ],
      lastValueMark: { show: false },
      tooltip: { showRule: 'none' },
    },
    xAxis: { axisLine: { show: false }, tickLine: { show: false }, tickText: text },
    yAxis: { axisLine: { show: false }, tickLine: { show: false }, tickText: text },
    crosshair: {
      horizontal: {
        line: { color: quiet },
        text: { family, size, color: paper, backgroundColor: ink, borderColor: ink },
      },
      vertical: {
        line: { color: quiet },
        text: { family, size, color: paper, backgroundColor: ink, borderColor: ink },
      },
    },
    separator: { color: line },
  };
}
