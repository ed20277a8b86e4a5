import { cleanText } from '@sathorn/api';
import type { Draft } from '../drafts.ts';

export interface ComparedLine {
  readonly mark: 'same' | 'added' | 'removed';
  readonly text: string;
}

/**
 * Returns the fewest removed and added lines (by a longest common subsequence). Within a change, the removed lines come
 * first.
 */
export function compareLines(before: readonly string[], after: readonly string[]): ComparedLine[] {
  const width = after.length + 1;
  // The length of the longest common subsequence of the rest of both texts.
  const left = new Uint16Array((before.length + 1) * width);
  const at = (a: number, b: number): number => left[a * width + b] ?? 0;
  for (let a = before.length - 1; a >= 0; a -= 1)
    for (let b = after.length - 1; b >= 0; b -= 1)
      left[a * width + b] = before[a] === after[b] ? at(a + 1, b + 1) + 1 : Math.max(at(a + 1, b), at(a, b + 1));

  const lines: ComparedLine[] = [];
  let [a, b] = [0, 0];
  while (a < before.length || b < after.length) {
    const [was, is] = [before[a], after[b]];
    if (was !== undefined && was === is) {
      lines.push({ mark: 'same', text: was });
      a += 1;
      b += 1;
    } else if (was !== undefined && (is === undefined || at(a + 1, b) >= at(a, b + 1))) {
      lines.push({ mark: 'removed', text: was });
      a += 1;
    } else if (is !== undefined) {
      lines.push({ mark: 'added', text: is });
      b += 1;
    }
  }
  return lines;
}

/**
 * Splits a text into paragraphs, list items and table rows, including their marks, because a changed link is a change
 * too. Direction marks are removed: shipped texts have these and saved ones do not, and nobody could see that
 * difference.
 */
export const textLinesOf = (text: string): string[] =>
  cleanText(text)
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

export type TextChange = 'same' | 'changed' | 'new' | 'gone';
export const COMPARED_PARTS = ['title', 'summary', 'marks'] as const;
export type ComparedTexts = Readonly<Record<(typeof COMPARED_PARTS)[number], readonly ComparedLine[]>>;

const isBlank = (draft: Draft): boolean => COMPARED_PARTS.every((part) => draft[part].trim() === '');

/** Compares one language's text with the published one. A text without words counts as missing. */
export function compareTexts(
  before: Draft,
  after: Draft,
): { readonly state: TextChange; readonly parts: ComparedTexts } {
  const of = (part: (typeof COMPARED_PARTS)[number]) =>
    compareLines(textLinesOf(before[part]), textLinesOf(after[part]));
  const parts: ComparedTexts = { title: of('title'), summary: of('summary'), marks: of('marks') };
  if (COMPARED_PARTS.every((part) => parts[part].every(({ mark }) => mark === 'same'))) return { state: 'same', parts };
  return { state: isBlank(before) ? 'new' : isBlank(after) ? 'gone' : 'changed', parts };
}
