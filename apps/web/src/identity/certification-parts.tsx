import { failureText } from '@sathorn/app/client';
import { formatCount, formatDate, formatDecimalText } from '@sathorn/text';
import { Card, ErrorState, Icon, SkeletonRows, useText } from '@sathorn/ui';
import type { ReactNode } from 'react';
import { trimmed } from '../parts/market/asset-figure.ts';
import { MoneyNote } from '../parts/money/note.tsx';
import { type Certification, type CertificationLevel, useCertification } from './use-certification.ts';
import './certification.css';

/** Renders its content once the certification is loaded. */
export function CertificationGate({
  children,
}: {
  children: (certification: Certification, changed: () => void) => ReactNode;
}) {
  const texts = useText();
  const { data, error, refetch, changed } = useCertification();
  if (data) return children(data, changed);
  return (
    <div className="page">
      <Card>
        {error ? (
          <ErrorState
            title={texts.t('mine.failed')}
            action={{ label: texts.t('shell.try_again'), onPress: () => void refetch() }}
          >
            {failureText(error.failure, texts)}
          </ErrorState>
        ) : (
          <SkeletonRows rows={5} label={texts.t('shell.loading')} />
        )}
      </Card>
    </div>
  );
}

/** The customer's current level, and what each level unlocks. */
export function LevelsCard({ certification, at }: { certification: Certification; at: 'primary' | 'advanced' }) {
  const { t, presentation } = useText<'identity'>();
  const { limits, promised_hours: hours } = certification;
  const whole = (amount: string) => formatDecimalText(trimmed(amount), presentation);
  const within = t('cert.hours', { count: formatCount(hours, presentation) });
  return (
    <Card className="cert-levels">
      <ol className="cert-steps">
        {(['primary', 'advanced'] as const).map((level, n) => (
          <li
            key={level}
            data-state={certification[level].state}
            data-here={level === at ? '' : undefined}
            aria-current={level === at ? 'step' : undefined}
          >
            <span className="cert-step-mark num">
              {certification[level].state === 'verified' ? (
                <Icon name="check" size={16} />
              ) : (
                formatCount(n + 1, presentation)
              )}
            </span>
            {t(`cert.${level}`)}
          </li>
        ))}
      </ol>
      <table className="cert-table num">
        <thead>
          <tr>
            <td />
            <th scope="col">{t('cert.per_day')}</th>
            <th scope="col">{t('cert.within')}</th>
          </tr>
        </thead>
        <tbody>
          {(['without', 'primary', 'advanced'] as const).map((level) => (
            <tr key={level} data-here={level === at ? '' : undefined}>
              <th scope="row">{t(`cert.${level}`)}</th>
              <td>{whole(limits[level === 'without' ? 'none' : level])}</td>
              <td>{level === 'without' ? '–' : within}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

/** One level's state in words: verified, under review, or what to correct. */
export function LevelState({ level, hours }: { level: CertificationLevel; hours: number }) {
  const { t, has, presentation } = useText<'identity'>();
  if (level.state === 'none') return null;
  const icon = level.state === 'verified' ? 'check' : level.state === 'review' ? 'clock' : 'camera';
  const title =
    level.state === 'verified'
      ? t('cert.verified')
      : level.state === 'review'
        ? t('cert.review')
        : t(level.is_final ? 'cert.final' : 'cert.rejected');
  const reasonText = (reason: string): string => {
    const key = `cert.reason.${reason}`;
    return has(key) ? t(key as 'cert.reason.name_differs') : reason;
  };
  return (
    <Card className="cert-state">
      <div className="cert-state-head">
        <span className="cert-state-mark" data-state={level.state}>
          <Icon name={icon} size={24} />
        </span>
        <div>
          <h2>{title}</h2>
          {level.state === 'review' && level.submitted_at && (
            <p className="muted num">
              {t('cert.review_note', {
                time: formatDate(level.submitted_at, 'dateTime', presentation),
                hours: formatCount(hours, presentation),
              })}
            </p>
          )}
          {level.state === 'verified' && (
            <p className="muted num">
              <bdi>{level.name}</bdi> <bdi dir="ltr">{level.number}</bdi>
            </p>
          )}
          {level.state === 'rejected' && !level.is_final && <p className="muted">{t('cert.rejected_note')}</p>}
        </div>
      </div>
      {level.reasons.length > 0 && (
        <ul className="cert-reasons">
          {level.reasons.map((reason) => (
            <li key={reason}>
              <Icon name="warning" size={16} />
              {reasonText(reason)}
            </li>
          ))}
        </ul>
      )}
      {level.decided_by && level.decided_at && (
        <p className="cert-by row num">
          <span className="muted">{t('cert.looked_by')}</span>
          <span>
            <bdi>{level.decided_by}</bdi>{' '}
            <span className="cap">{formatDate(level.decided_at, 'dateTime', presentation)}</span>
          </span>
        </p>
      )}
    </Card>
  );
}

/** How we use the data, and what never needs certification. */
export function Assurances({ limits }: { limits: Certification['limits'] }) {
  const { t, presentation } = useText<'identity'>();
  const amount = formatDecimalText(trimmed(limits.none), presentation);
  return (
    <>
      <MoneyNote icon="lock">{t('cert.private')}</MoneyNote>
      <MoneyNote icon="shield" tone="success">
        {t('cert.always', { amount })}
      </MoneyNote>
    </>
  );
}
