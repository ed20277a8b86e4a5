/// <reference types="@sathorn/text/virtual" />

import loaders from 'virtual:texts/status';
import { AreaTexts, fetchTexts, textArea } from '@sathorn/app/texts';
import type { ReactNode } from 'react';

const STATUS = textArea('status', loaders);
fetchTexts(STATUS);

/** Loads the texts of the public status, the figures and the hall of fame. */
export function StatusTexts({ children }: { children: ReactNode }) {
  return <AreaTexts area={STATUS}>{children}</AreaTexts>;
}
