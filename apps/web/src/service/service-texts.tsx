/// <reference types="@sathorn/text/virtual" />

import loaders from 'virtual:texts/service';
import { AreaTexts, fetchTexts, textArea } from '@sathorn/app/texts';
import type { ReactNode } from 'react';

const SERVICE = textArea('service', loaders);
fetchTexts(SERVICE);

/** Loads the texts for the screens of customer service. */
export function ServiceTexts({ children }: { children: ReactNode }) {
  return <AreaTexts area={SERVICE}>{children}</AreaTexts>;
}
