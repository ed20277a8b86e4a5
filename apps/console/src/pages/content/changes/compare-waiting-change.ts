import type { ContentEntry, ContentLanguage } from '@sathorn/api';
import { draftsOf } from '../drafts.ts';
import { compareTexts } from './compare-texts.ts';

export type WaitingChange = NonNullable<ContentEntry['waiting']>;

/** Compares one language of the waiting text with the published one. */
export function compareWaitingChange(waiting: WaitingChange, language: ContentLanguage) {
  const [before, after] = [draftsOf(waiting.published?.texts ?? []), draftsOf(waiting.texts)];
  return compareTexts(before[language], after[language]);
}
