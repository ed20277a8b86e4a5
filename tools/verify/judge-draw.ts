import {
  type BoxFile,
  DRAW_STEPS,
  type DrawReceipt,
  isSignedText,
  type PublishedKey,
  parseUniqueJson,
  readBoxTerms,
  trustKeys,
  verifyBox,
  verifyDraw,
} from '@sathorn/proof';
import type { Pins } from './pin-file.ts';

type Shown = { readonly draw: DrawReceipt } | { readonly file: BoxFile };

/** Parses a draw of a blind box or the file of a whole box; undefined for anything else. */
export function readDraw(text: string): Shown | undefined {
  let value: unknown;
  try {
    value = parseUniqueJson(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || !('box' in value) || !isSignedText(value.box)) return undefined;
  if ('commitments' in value && 'draws' in value && Array.isArray(value.draws)) return { file: value as BoxFile };
  return 'reservation' in value && isSignedText(value.reservation) && 'path' in value
    ? { draw: value as DrawReceipt }
    : undefined;
}

/** Returns the lines of the report, and whether every check passed. */
export async function judgeDraw(
  shown: Shown,
  published: readonly PublishedKey[],
  pins: Pins | null,
): Promise<{ readonly isVerified: boolean; readonly lines: readonly string[] }> {
  const { trusted, refused } = await trustKeys(published, pins?.keys ?? []);
  const lines = refused.map(({ key, fault }) => `KEY: ${key.id} (${key.use}) is refused: ${fault}.`);
  if ('draw' in shown) {
    const { verified, steps, box, number } = await verifyDraw(shown.draw, trusted);
    for (const step of DRAW_STEPS)
      lines.push(
        `${steps[step] === null ? 'ok    ' : 'FAULT '} ${step}${steps[step] === null ? '' : `: ${steps[step]}`}`,
      );
    if (number !== null)
      lines.push(`The number is ${number} of ${box ? box.table.reduce((sum, { weight }) => sum + weight, 0) : '?'}.`);
    if (box?.beacon === 'none') lines.push(NO_BEACON);
    const isVerified = verified && refused.length === 0;
    return { isVerified, lines: [isVerified ? 'VERIFIED' : 'NOT VERIFIED', ...lines] };
  }
  const { verified, faults, resolved, open, given, chanceLog10 } = await verifyBox(shown.file, trusted);
  const box = readBoxTerms(shown.file.box.body);
  for (const { i, fault } of faults) lines.push(`FAULT  ${i === 0 ? 'the box' : `draw ${i}`}: ${fault}`);
  lines.push(`${resolved} draws resolved, ${open} open; given by row of the table: ${given.join(', ')}.`);
  if (resolved > 0) lines.push(`Results this far from the odds come up by chance ${chanceText(chanceLog10)}.`);
  if (box?.beacon === 'none') lines.push(NO_BEACON);
  const isVerified = verified && refused.length === 0;
  return { isVerified, lines: [isVerified ? 'VERIFIED' : 'NOT VERIFIED', ...lines] };
}

const NO_BEACON = 'The box has no public randomness: collusion between the operator and a customer is not excluded.';

/** `in 34% of such boxes`, or `once in 10^24 such boxes`. */
const chanceText = (log10: number): string =>
  log10 > -3
    ? `in ${(100 * 10 ** log10).toPrecision(2)}% of such boxes`
    : `once in 10^${(-log10).toFixed(1)} such boxes`;
