import { PRACTICE_MARK, type Presentation } from '@sathorn/text';

// The server writes both into the page of a practice platform, so that the first paint already marks its money.
const { practice, without }: DOMStringMap = typeof document === 'undefined' ? {} : document.documentElement.dataset;

/** On a practice platform the origin of the real one; null on a real platform. */
export const practiceOf: string | null = practice ?? null;

/** True for a page that a practice platform does not have. */
export const isMissing = (path: string): boolean => without !== undefined && new RegExp(without).test(path);

/** How amounts are written here: on a practice platform with their assets marked. */
export const ASSET_STYLE: Pick<Presentation, 'assetMark'> = practice ? { assetMark: PRACTICE_MARK } : {};
