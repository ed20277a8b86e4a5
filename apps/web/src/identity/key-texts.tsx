/// <reference types="@sathorn/text/virtual" />

import loaders from 'virtual:texts/keys';
import { AreaTexts, fetchTexts, textArea } from '@sathorn/app/texts';
import type { ReactNode } from 'react';

const KEYS = textArea('keys', loaders);
fetchTexts(KEYS);

/** Loads the texts for the screens of API keys. */
export function KeyTexts({ children }: { children: ReactNode }) {
  return <AreaTexts area={KEYS}>{children}</AreaTexts>;
}
