/// <reference types="@sathorn/text/virtual" />

import loaders from 'virtual:texts/waiting';
import { AreaTexts, fetchTexts, textArea } from '@sathorn/app/texts';
import type { ReactNode } from 'react';

const WAITING = textArea('waiting', loaders);
fetchTexts(WAITING);

/** Loads the texts for orders that wait, and for changes of orders. */
export function WaitingTexts(props: { waiting?: ReactNode; children: ReactNode }) {
  return <AreaTexts area={WAITING} {...props} />;
}
