import { useNavigation } from '@sathorn/app/navigation';
import { Button, Sheet } from '@sathorn/ui';
import { hideFindings, useFindings } from '../parts/evidence/findings.ts';
import { useReceiptText } from '../parts/receipt/use-receipt-text.ts';
import { findingTexts, titleOf } from './finding-text.ts';

/** The most sentences shown at once; the verify page has all of them. */
const SHOWN_MAX = 4;
const PURCHASE_MAX_MS = 86_400_000;

/** Shown once per visit, and again after a new finding. */
export default function EvidenceAlert() {
  const { all: found, isHidden } = useFindings();
  const { navigate } = useNavigation();
  // Old findings about purchases are shown on the verify page only. A chain or a key that contradicts the memory is
  // shown on each visit.
  const all = found.filter(({ kind, foundAt }) => kind !== 'purchase' || Date.now() - foundAt < PURCHASE_MAX_MS);
  const { t } = useReceiptText(all.length > 0);
  if (!t || all.length === 0) return null;
  const shown = all.slice(-SHOWN_MAX);
  return (
    <Sheet open={!isHidden} onClose={hideFindings} title={titleOf(all, t)}>
      <div className="stack" role="alert">
        {shown
          .flatMap((finding) => findingTexts(finding, t))
          .map((text) => (
            <p key={text}>{text}</p>
          ))}
        <p className="muted">
          {t(all.some(({ kind }) => kind !== 'purchase') ? 'verify.alert.advice' : 'verify.bought.keep')}
        </p>
      </div>
      <Button
        onClick={() => {
          hideFindings();
          navigate('/pages/verify/index?tab=verify');
        }}
      >
        {t('verify.alert.open')}
      </Button>
      <Button look="plain" onClick={hideFindings}>
        {t('verify.alert.hide')}
      </Button>
    </Sheet>
  );
}
