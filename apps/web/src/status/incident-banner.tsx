import { readStatus } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { useText } from '@sathorn/ui';
import { useEffect } from 'react';
import { IncidentBannerPlace, rememberOpenIncident } from '../shell/incident-banner-place.tsx';
import './incident-banner.css';

const EVERY_MS = 60_000;

/** Shows the latest text about an open incident above every screen, with a link to the status page. */
export default function IncidentBanner() {
  const { t } = useText();
  const { navigate } = useNavigation();
  const { data, isError } = useRead(readStatus, {}, { everyMs: EVERY_MS });
  const open = data?.incidents.find(({ closed_at: closedAt }) => closedAt === null);
  const text = open?.updates[0]?.text;
  const isKnown = data !== undefined;
  const isShown = open !== undefined && text !== undefined;
  useEffect(() => {
    if (isKnown) rememberOpenIncident(isShown);
  }, [isKnown, isShown]);
  if (!isKnown) return isError ? null : <IncidentBannerPlace />;
  if (!isShown) return null;
  const severity = t(`status.severity.${open.severity}`);
  return (
    <aside className="incident-banner" data-severity={open.severity} aria-label={severity}>
      <span>
        <b>{severity}</b> <bdi>{text}</bdi>
      </span>
      <button type="button" onClick={() => navigate('/pages/verify/index?tab=status')}>
        {t('status.details')}
      </button>
    </aside>
  );
}
