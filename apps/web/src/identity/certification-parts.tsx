import { FormPage } from '@sathorn/app/forms';
import { useNavigation } from '@sathorn/app/navigation';
import { showToast } from '@sathorn/app/shell';
import { DOCUMENT_TYPES, type DocumentType } from '@sathorn/identity';
import { formatCount, formatDate, formatDecimalText } from '@sathorn/text';
import { Button, Card, EmptyState, Icon, Tabs, useText } from '@sathorn/ui';
import type { ComponentType, FormEvent, ReactNode } from 'react';
import { withoutTrailingZeros } from '../parts/market/asset-figure.ts';
import { MoneyNote } from '../parts/money/note.tsx';
import { PageNotLoaded } from '../parts/read/not-loaded.tsx';
import { IdentityTexts } from './identity-texts.tsx';
import { type Certification, type CertificationLevel, useCertification } from './use-certification.ts';
import './certification.css';

type Level = 'primary' | 'advanced';

export interface LevelFormProps {
  certification: Certification;
  /** Shown above the form. */
  head: ReactNode;
  onSent: () => void;
}

interface CertificationPageProps {
  at: Level;
  Form: ComponentType<LevelFormProps>;
}

/** The page of a level: its form while the customer can request the level, otherwise the progress of the request. */
export function CertificationPage(props: CertificationPageProps) {
  return (
    <IdentityTexts>
      <LevelPage {...props} />
    </IdentityTexts>
  );
}

function LevelPage({ at, Form }: CertificationPageProps) {
  const { t } = useText<'identity'>();
  const { navigate, redirect } = useNavigation();
  const { data: certification, error, refetch, changed } = useCertification();
  if (!certification) return <PageNotLoaded read={{ error, refetch }} failed={t('mine.failed')} rows={5} />;
  const { primary, advanced, promised_hours: hours, limits } = certification;
  const isPrimaryDone = primary.state === 'verified';
  if (at === 'advanced' && !isPrimaryDone)
    return (
      <div className="page">
        <LevelsCard certification={certification} at={at} />
        <Card>
          <EmptyState
            picture="shield"
            title={t('cert.primary_first')}
            action={{ label: t('cert.to_primary'), onPress: () => redirect('/pages/mine/Certification/primary') }}
          />
        </Card>
      </div>
    );
  const takeSent = () => {
    showToast(t('cert.sent'), 'success');
    changed();
  };
  const level = certification[at];
  const head = (
    <>
      <LevelsCard certification={certification} at={at} />
      <LevelState level={level} hours={hours} />
    </>
  );
  if (level.state === 'none' || (level.state === 'rejected' && !level.is_final))
    return <Form key={level.decided_at ?? ''} certification={certification} head={head} onSent={takeSent} />;
  return (
    <div className="page">
      {head}
      {at === 'primary' && isPrimaryDone && advanced.state !== 'verified' && (
        <Button onClick={() => navigate('/pages/mine/Certification/advanced')}>{t('cert.to_advanced')}</Button>
      )}
      <Assurances limits={limits} />
    </div>
  );
}

interface CertificationFormProps extends Omit<LevelFormProps, 'onSent'> {
  call: { submit: (event: FormEvent) => unknown; isBusy: boolean; refusal: string | undefined };
  type: DocumentType;
  onType: (type: DocumentType) => void;
  /** The fields of the document, in its card. */
  children: ReactNode;
  /** Shown below the card. */
  pictures?: ReactNode;
}

/** The form of a level: the document, its pictures, and our promises about both. */
export function CertificationForm({
  certification,
  head,
  call,
  type,
  onType,
  pictures,
  children,
}: CertificationFormProps) {
  const { t } = useText<'identity'>();
  return (
    <FormPage onSubmit={call.submit} submitLabel={t('cert.submit')} busy={call.isBusy} refusal={call.refusal}>
      {head}
      <Card className="stack">
        <Tabs
          label={t('cert.document')}
          tabs={DOCUMENT_TYPES.map((value) => ({ value, label: t(`cert.${value}`) }))}
          value={type}
          onChange={onType}
        />
        {children}
      </Card>
      {pictures}
      <Assurances limits={certification.limits} />
    </FormPage>
  );
}

/** The customer's current level, and the limits of each level. */
function LevelsCard({ certification, at }: { certification: Certification; at: Level }) {
  const { t, presentation } = useText<'identity'>();
  const { limits, promised_hours: hours } = certification;
  const whole = (amount: string) => formatDecimalText(withoutTrailingZeros(amount), presentation);
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
function LevelState({ level, hours }: { level: CertificationLevel; hours: number }) {
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

/** How we use the data, and which actions never need certification. */
function Assurances({ limits }: { limits: Certification['limits'] }) {
  const { t, presentation } = useText<'identity'>();
  const amount = formatDecimalText(withoutTrailingZeros(limits.none), presentation);
  return (
    <>
      <MoneyNote icon="lock">{t('cert.private')}</MoneyNote>
      <MoneyNote icon="shield" tone="success">
        {t('cert.always', { amount })}
      </MoneyNote>
    </>
  );
}
