import type { ReactNode } from 'react';
import { SafeguardArea } from '../parts/alerts/safeguard-area.tsx';
import './safeguards.css';

/** Loads the texts of the customer's own limits, breaks, alerts and their settings. */
export function SafeguardTexts({ children }: { children: ReactNode }) {
  return <SafeguardArea>{children}</SafeguardArea>;
}
