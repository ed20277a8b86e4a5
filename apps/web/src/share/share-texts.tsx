/// <reference types="@sathorn/text/virtual" />

import loaders from 'virtual:texts/share';
import { AreaTexts, fetchTexts, textArea } from '@sathorn/app/texts';
import type { ReactNode } from 'react';

const SHARE = textArea('share', loaders);
fetchTexts(SHARE);

/** Loads the texts of the screens of sharing. */
export function ShareTexts({ children }: { children: ReactNode }) {
  return <AreaTexts area={SHARE}>{children}</AreaTexts>;
}
