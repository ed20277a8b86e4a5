/// <reference types="@sathorn/text/virtual" />

import loaders from 'virtual:texts/activities';
import { AreaTexts, fetchTexts, textArea } from '@sathorn/app/texts';
import type { ReactNode } from 'react';
import './activities.css';

const ACTIVITIES = textArea('activities', loaders);
fetchTexts(ACTIVITIES);

/** Loads the texts that the activities and company pages share. */
export function ActivityTexts({ children }: { children: ReactNode }) {
  return <AreaTexts area={ACTIVITIES}>{children}</AreaTexts>;
}
