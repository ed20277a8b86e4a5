import { useNavigation } from '@sathorn/app/navigation';
import type { KeyOf } from '@sathorn/text';
import { Button, Sheet, useText } from '@sathorn/ui';
import { type EvidenceFinding, hideFindings, idOf, proofOf, useFindings } from '../parts/evidence/evidence-findings.ts';
import { useReceiptText } from '../parts/receipt/use-receipt-text.ts';
import { findingsTitle, findingTexts } from './finding-text.ts';
import { KeptOverRestoration } from './kept-over-restoration.tsx';
import { SaveContradiction } from './save-contradiction.tsx';

/** The most sentences shown at once; the verify page has all of them. */
const SHOWN_MAX = 4;
const NEWS_MAX_MS = 86_400_000;
/** These kinds are shown for a day; later only the verify page has them. */
const NEWS: readonly EvidenceFinding['kind'][] = ['purchase', 'restored'];
const isNews = (finding: EvidenceFinding): boolean =>
  NEWS.includes(finding.kind) ||
  (finding.kind === 'log' && finding.fault === 'policy') ||
  (finding.kind === 'ordered' && finding.fault === 'unsigned');

/** What is signed about these is in the file of all that was kept. */
const SIGNED: readonly EvidenceFinding['kind'][] = ['statement', 'ack', 'liability', 'log'];

function adviceOn(findings: readonly EvidenceFinding[]): KeyOf<'receipt'> {
  if (findings.some((finding) => proofOf(finding) !== null)) return 'verify.alert.contradiction_advice';
  if (findings.every(({ kind }) => kind === 'ordered')) return 'verify.ordered.advice';
  if (findings.every(({ kind }) => kind === 'restored')) return 'verify.restored.advice';
  if (findings.some(({ kind }) => SIGNED.includes(kind))) return 'verify.statement.advice';
  return findings.every(isNews) ? 'verify.bought.keep' : 'verify.alert.advice';
}

/** Shown once per visit, and again after a new finding. */
export default function EvidenceAlert() {
  const { all: found, isHidden } = useFindings();
  const { navigate } = useNavigation();
  const { presentation } = useText();
  // A chain or a key that contradicts the memory is shown on each visit.
  const all = found.filter((finding) => !isNews(finding) || Date.now() - finding.foundAt < NEWS_MAX_MS);
  const { t } = useReceiptText(all.length > 0);
  if (!t || all.length === 0) return null;
  const shown = all.slice(-SHOWN_MAX);
  return (
    <Sheet open={!isHidden} onClose={hideFindings} title={findingsTitle(all, t)}>
      <div className="stack">
        <div className="stack" role="alert">
          {shown
            .flatMap((finding) => findingTexts(finding, t, presentation))
            .map((text) => (
              <p key={text}>{text}</p>
            ))}
          {shown.map((finding) => (
            <SaveContradiction key={idOf(finding)} finding={finding} t={t} />
          ))}
          {shown.map(
            (finding) =>
              finding.kind === 'restored' && <KeptOverRestoration key={finding.restoredAt} finding={finding} t={t} />,
          )}
          <p className="muted">{t(adviceOn(all))}</p>
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
      </div>
    </Sheet>
  );
}
