/// <reference types="@sathorn/text/virtual" />

import loaders from 'virtual:texts/recurring';
import { AreaTexts, fetchTexts, textArea } from '@sathorn/app/texts';
import type { ReactNode } from 'react';

const RECURRING = textArea('recurring', loaders);
fetchTexts(RECURRING);

/** Loads the texts for regular purchases. */
export function RecurringTexts({ children }: { children: ReactNode }) {
  return <AreaTexts area={RECURRING}>{children}</AreaTexts>;
}
