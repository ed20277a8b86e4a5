import { flagRowsOf, multiplesBetween, roundSteps, spreadLabels } from './live-places.ts';
import { LIVE_LINE_SPAN_MS, type LivePoint } from './live-points.ts';

/** An open bet on the chart. */
export interface LiveBet {
  readonly id: string;
  readonly direction: 'up' | 'down';
  /** Undefined while the bet waits for its start price. */
  readonly start: number | undefined;
  readonly startsAt: number;
  readonly endsAt: number;
  /** Direction and stake. */
  readonly label: string;
  /** The time left. */
  readonly left: string;
}

/** The parts at the head and the edges of the line, which move between two ticks. */
export interface LiveView {
  readonly at: number;
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

export interface LiveColours {
  readonly line: string;
  readonly old: string;
  readonly grid: string;
  readonly quiet: string;
  readonly flag: string;
  readonly onFlag: string;
  readonly up: string;
  readonly down: string;
  readonly onBet: string;
  readonly onLine: string;
}

export interface LiveScene {
  readonly width: number;
  readonly height: number;
  readonly view: LiveView;
  readonly points: readonly LivePoint[];
  readonly bets: readonly LiveBet[];
  /** The id of the bet whose winning half is tinted. */
  readonly shown: string | undefined;
  /** True if no price arrives or the price is stale. */
  readonly isOld: boolean;
  readonly colours: LiveColours;
  readonly family: string;
  readonly textSize: number;
  /** The newest price, and its age if it is old. */
  readonly price: string;
  readonly age: string | null;
  readonly priceText: (value: number) => string;
  readonly timeText: (at: number) => string;
}

/** The position of the newest tick as a share of the width. The rest is room for the future. */
const HEAD_SHARE = 0.75;
const TIME_STEP_MS = 20_000;
const PAD = 6;

/** Draws the whole chart; the caller has cleared the canvas. */
export function paintLive(context: CanvasRenderingContext2D, scene: LiveScene): void {
  const { width, height, view, points, bets, colours, textSize, family } = scene;
  const axis = textSize + 10;
  const bottom = height - axis;
  const headX = width * HEAD_SHARE;
  const perMs = headX / LIVE_LINE_SPAN_MS;
  const xOf = (at: number) => headX + (at - view.at) * perMs;
  const yOf = (value: number) => ((view.high - value) / (view.high - view.low)) * bottom;
  const pill = textSize + 10;
  const headY = yOf(view.value);
  const lineColour = scene.isOld ? colours.old : colours.line;
  const colourOf = ({ direction }: LiveBet) => (direction === 'up' ? colours.up : colours.down);
  const setFont = (weight: number) => {
    context.font = `${weight} ${textSize}px ${family}`;
  };
  const textY = (y: number) => Math.round(y + textSize * 0.36);
  const dashed = (fromX: number, fromY: number, toX: number, toY: number, colour: string, dash: number[]) => {
    context.strokeStyle = colour;
    context.setLineDash(dash);
    context.beginPath();
    context.moveTo(fromX, fromY);
    context.lineTo(toX, toY);
    context.stroke();
    context.setLineDash([]);
  };
  /** Draws a filled label with its middle at (x, y). */
  const label = (text: string, x: number, y: number, w: number, ground: string, ink: string, h = pill) => {
    context.fillStyle = ground;
    context.beginPath();
    context.roundRect(x - w / 2, y - h / 2, w, h, 7);
    context.fill();
    context.fillStyle = ink;
    context.textAlign = 'center';
    context.fillText(text, x, textY(y));
  };

  context.lineWidth = 1;
  context.lineJoin = 'round';
  context.textBaseline = 'alphabetic';
  setFont(600);
  const priceLines = scene.age === null ? [scene.price] : [scene.price, scene.age];
  const priceWidth = Math.max(...priceLines.map((text) => context.measureText(text).width)) + 14;
  const priceHeight = pill + (priceLines.length - 1) * (textSize + 2);
  const priceY = Math.min(Math.max(headY, priceHeight / 2), bottom - priceHeight / 2);

  // Draws the prices and times of the axes.
  setFont(400);
  for (const value of roundSteps(view.low, view.high, 5)) {
    const y = Math.round(yOf(value)) + 0.5;
    dashed(0, y, width, y, colours.grid, []);
    // Skips labels that would be under the price or the flags.
    if (Math.abs(y - priceY) < (priceHeight + textSize) / 2 + 2 || y < (bets.length > 0 ? pill * 2 : textSize))
      continue;
    context.fillStyle = colours.quiet;
    context.textAlign = 'right';
    context.fillText(scene.priceText(value), width - 4, textY(y - textSize * 0.75));
  }
  context.textAlign = 'center';
  context.fillStyle = colours.quiet;
  for (const at of multiplesBetween(TIME_STEP_MS, view.at - LIVE_LINE_SPAN_MS, view.at + LIVE_LINE_SPAN_MS)) {
    const text = scene.timeText(at);
    const half = context.measureText(text).width / 2;
    const x = xOf(at);
    if (x - half > 0 && x + half < width) context.fillText(text, x, height - 5);
  }

  // Tints the half in which the bet wins.
  const tinted = bets.find(({ id }) => id === scene.shown);
  if (tinted?.start !== undefined) {
    const from = Math.max(0, xOf(tinted.startsAt));
    const y = Math.min(Math.max(yOf(tinted.start), 0), bottom);
    context.globalAlpha = 0.11;
    context.fillStyle = colourOf(tinted);
    const to = Math.min(width, xOf(tinted.endsAt));
    if (tinted.direction === 'up') context.fillRect(from, 0, to - from, y);
    else context.fillRect(from, y, to - from, bottom - y);
    context.globalAlpha = 1;
  }

  // Draws the line, and the fading area below it.
  const path = new Path2D();
  let firstX: number | undefined;
  for (const { at, value } of points) {
    if (at >= view.at) break;
    const x = xOf(at);
    if (firstX === undefined) path.moveTo(x, yOf(value));
    else path.lineTo(x, yOf(value));
    firstX ??= x;
  }
  if (firstX === undefined) path.moveTo(headX, headY);
  path.lineTo(headX, headY);
  const area = new Path2D(path);
  area.lineTo(headX, bottom);
  area.lineTo(firstX ?? headX, bottom);
  const fade = context.createLinearGradient(0, 0, 0, bottom);
  fade.addColorStop(0, lineColour);
  fade.addColorStop(1, 'transparent');
  context.globalAlpha = 0.18;
  context.fillStyle = fade;
  context.fill(area);
  context.globalAlpha = 1;
  context.strokeStyle = lineColour;
  context.lineWidth = 2;
  context.stroke(path);
  context.lineWidth = 1;

  // Draws the bets: a line at the start price with its label, and a flag at the end.
  setFont(600);
  const started = bets.filter((bet) => bet.start !== undefined);
  const labelYs = spreadLabels(
    started.map(({ start }) => yOf(start as number)),
    pill + 2,
    pill / 2,
    bottom - pill / 2,
  );
  for (const [index, bet] of started.entries()) {
    const colour = colourOf(bet);
    const y = yOf(bet.start as number);
    const w = context.measureText(bet.label).width + 14;
    const startX = Math.max(w + 2, xOf(bet.startsAt));
    context.lineWidth = 1.5;
    dashed(startX, y, Math.max(startX, Math.min(width, xOf(bet.endsAt))), y, colour, [5, 3]);
    context.lineWidth = 1;
    label(bet.label, startX - w / 2, labelYs[index] as number, w, colour, colours.onBet);
  }
  const flagWidth = Math.max(0, ...bets.map(({ left }) => context.measureText(left).width)) + 16;
  // An end that is not in view yet is drawn at the edge.
  const flagXs = bets.map(({ endsAt }) =>
    Math.min(Math.max(xOf(endsAt), flagWidth / 2 + 2), width - flagWidth / 2 - 2),
  );
  const rows = flagRowsOf(flagXs, flagWidth + 3);
  for (const [index, bet] of bets.entries()) {
    const x = xOf(bet.endsAt);
    const row = rows[index] ?? 0;
    const y = pill / 2 + row * (pill + 3);
    if (x <= width) dashed(x, y, x, bottom, colours.flag, [2, 3]);
    label(bet.left, flagXs[index] as number, y, flagWidth, colours.flag, colours.onFlag);
  }

  // Draws the head of the line and its price.
  dashed(headX, headY, width - priceWidth, priceY, lineColour, [2, 3]);
  context.fillStyle = lineColour;
  context.globalAlpha = 0.22;
  context.beginPath();
  context.arc(headX, headY, 10, 0, 7);
  context.fill();
  context.globalAlpha = 1;
  context.beginPath();
  context.arc(headX, headY, 4.5, 0, 7);
  context.fill();
  context.beginPath();
  context.roundRect(width - priceWidth - PAD / 3, priceY - priceHeight / 2, priceWidth, priceHeight, 7);
  context.fill();
  context.fillStyle = colours.onLine;
  context.textAlign = 'center';
  for (const [line, text] of priceLines.entries())
    context.fillText(
      text,
      width - priceWidth / 2 - PAD / 3,
      textY(priceY + (line - (priceLines.length - 1) / 2) * (textSize + 2)),
    );
}
