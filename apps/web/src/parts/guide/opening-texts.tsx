/// <reference types="@sathorn/text/virtual" />

import loaders from 'virtual:texts/opening';
import { AreaTexts, fetchTexts, textArea } from '@sathorn/app/texts';
import type { ReactNode } from 'react';

export const OPENING_TEXT_AREA = textArea('opening', loaders);
fetchTexts(OPENING_TEXT_AREA);

/** Loads the texts of the sign-up and of the guide to a first trade. */
export function OpeningTexts({ children }: { children: ReactNode }) {
  return <AreaTexts area={OPENING_TEXT_AREA}>{children}</AreaTexts>;
}
