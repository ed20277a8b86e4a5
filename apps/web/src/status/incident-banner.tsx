import { readStatus } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { Late, nothing } from '@sathorn/app/late';
import type { ComponentType } from 'react';
import type { IncidentLineProps } from './incident-line.tsx';

const EVERY_MS = 60_000;

// On most days there is no incident, so its texts are not loaded with the page.
const loadLine = () => import('./incident-line.tsx');

/** Shows the latest text about an open incident above every screen. */
export default function IncidentBanner() {
  const { data } = useRead(readStatus, {}, { everyMs: EVERY_MS });
  const open = data?.incidents.find(({ closed_at: closedAt }) => closedAt === null);
  const text = open?.updates[0]?.text;
  if (!open || text === undefined) return null;
  return (
    <Late load={loadLine} failed={nothing}>
      {(Line: ComponentType<IncidentLineProps>) => <Line severity={open.severity} text={text} />}
    </Late>
  );
}
