/// <reference types="@sathorn/text/virtual" />

import loaders from 'virtual:texts/standing';
import { AreaTexts, fetchTexts, textArea } from '@sathorn/app/texts';
import type { ReactNode } from 'react';

const STANDING = textArea('standing', loaders);
fetchTexts(STANDING);

/** Loads the texts for renewals of lock-ups and for deposits that are subscribed. */
export function StandingTexts({ children }: { children: ReactNode }) {
  return <AreaTexts area={STANDING}>{children}</AreaTexts>;
}
