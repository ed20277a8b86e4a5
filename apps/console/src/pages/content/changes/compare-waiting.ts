import type { ContentEntry, ContentLanguage } from '@sathorn/api';
import { draftsOf } from '../drafts.ts';
import { compareTexts } from './compare-texts.ts';

export type Waiting = NonNullable<ContentEntry['waiting']>;

/** One language of what waits for a second person, against what is published. */
export function compareWaiting(waiting: Waiting, language: ContentLanguage) {
  const [before, after] = [draftsOf(waiting.published?.texts ?? []), draftsOf(waiting.texts)];
  return compareTexts(before[language], after[language]);
}
