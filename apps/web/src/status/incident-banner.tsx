import { readStatus } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { useText } from '@sathorn/ui';
import { StatusTexts } from '../parts/status/status-texts.tsx';
import './incident-banner.css';

const EVERY_MS = 60_000;

/** Shows the latest text about an open incident above every screen. */
export default function IncidentBanner() {
  const { data } = useRead(readStatus, {}, { everyMs: EVERY_MS });
  const open = data?.incidents.find(({ closed_at: closedAt }) => closedAt === null);
  const text = open?.updates[0]?.text;
  if (!open || text === undefined) return null;
  return (
    <StatusTexts>
      <Line severity={open.severity} text={text} />
    </StatusTexts>
  );
}

function Line({ severity, text }: { severity: 'notice' | 'degraded' | 'outage'; text: string }) {
  const { t } = useText<'status'>();
  const { navigate } = useNavigation();
  return (
    <aside className="incident-banner" data-severity={severity} aria-label={t(`status.severity.${severity}`)}>
      <span>
        <b>{t(`status.severity.${severity}`)}</b> <bdi>{text}</bdi>
      </span>
      <button type="button" onClick={() => navigate('/pages/verify/index?tab=status')}>
        {t('status.details')}
      </button>
    </aside>
  );
}
