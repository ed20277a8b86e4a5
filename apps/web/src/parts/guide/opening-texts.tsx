/// <reference types="@sathorn/text/virtual" />

import loaders from 'virtual:texts/opening';
import { AreaTexts, fetchTexts, textArea } from '@sathorn/app/texts';
import type { ReactNode } from 'react';

export const OPENING = textArea('opening', loaders);
fetchTexts(OPENING);

/** Loads the texts of the sign-up and of the guide to a first trade. */
export function OpeningTexts({ children }: { children: ReactNode }) {
  return <AreaTexts area={OPENING}>{children}</AreaTexts>;
}
