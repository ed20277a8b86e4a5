import { useNavigation } from '@sathorn/app/navigation';
import { useText } from '@sathorn/ui';
import { StatusTexts } from '../parts/status/status-texts.tsx';
import './incident-banner.css';

export interface IncidentLineProps {
  readonly severity: 'notice' | 'degraded' | 'outage';
  readonly text: string;
}

/** One open incident, with a way to the status page. */
export default function IncidentLine(props: IncidentLineProps) {
  return (
    <StatusTexts>
      <Line {...props} />
    </StatusTexts>
  );
}

function Line({ severity, text }: IncidentLineProps) {
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
