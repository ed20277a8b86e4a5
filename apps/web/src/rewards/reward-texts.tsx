/// <reference types="@sathorn/text/virtual" />

import loaders from 'virtual:texts/rewards';
import { AreaTexts, fetchTexts, textArea } from '@sathorn/app/texts';
import type { ReactNode } from 'react';
import './rewards.css';

const REWARDS = textArea('rewards', loaders);
fetchTexts(REWARDS);

/** Loads the texts of all screens of the daily check-in and the blind boxes. */
export function RewardTexts({ children }: { children: ReactNode }) {
  return <AreaTexts area={REWARDS}>{children}</AreaTexts>;
}
