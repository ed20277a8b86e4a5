import { formatDate } from '@sathorn/text';
import { useText } from '@sathorn/ui';
import { IdentityTexts } from './identity-texts.tsx';
import { useStopFactorReset } from './use-stop-factor-reset.ts';
import './reset-banner.css';

/** Shown above every screen while there is a request to remove the second factor. */
export default function ResetBanner({ until }: { until: string }) {
  return (
    <IdentityTexts>
      <Line until={until} />
    </IdentityTexts>
  );
}

function Line({ until }: { until: string }) {
  const { t, presentation } = useText<'identity'>();
  const { stop, isBusy } = useStopFactorReset();
  return (
    <aside className="reset-banner" role="alert">
      <span>{t('reset.banner', { time: formatDate(until, 'dateTime', presentation) })}</span>
      <button type="button" disabled={isBusy} onClick={stop}>
        {t('reset.not_me')}
      </button>
    </aside>
  );
}
