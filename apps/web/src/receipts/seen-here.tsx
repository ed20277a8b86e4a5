import { formatDate, formatDecimalText } from '@sathorn/text';
import { Badge, Card, CardHead, ListRow, useText } from '@sathorn/ui';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { loadFindings, useFindings } from '../parts/evidence/evidence-findings.ts';
import { checkChainThisVisit, readSeenChains } from '../parts/evidence/watch-tick-chain.ts';
import SaveKeptEvidence from '../parts/receipt/save-kept-evidence.tsx';
import { useReceiptText } from '../parts/receipt/use-receipt-text.ts';
import { findingTexts } from './finding-text.ts';
import { KeptOverRestoration } from './kept-over-restoration.tsx';
import { SaveContradiction } from './save-contradiction.tsx';

/** This device's memory of each chain, whether the chain still agrees with it, and all contradictions so far. */
export default function SeenHere() {
  const { presentation } = useText();
  const { t } = useReceiptText(true);
  const all = useFindings((findings) => findings.all);
  useEffect(() => void loadFindings(), []);
  const { data: seen } = useQuery({ queryKey: ['seen-chains'], queryFn: readSeenChains, staleTime: 0 });
  // Shows the result of the check that runs once per visit.
  const { isSuccess: isChecked } = useQuery({
    queryKey: ['visit-checked'],
    queryFn: async () => {
      await checkChainThisVisit();
      return true;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!t) return null;
  const coins = Object.entries(seen ?? {});
  const hasFork = all.some(({ kind }) => kind === 'fork');
  return (
    <Card>
      <CardHead
        title={t('verify.seen.title')}
        trail={
          coins.length > 0 &&
          !hasFork && (
            <Badge tone={isChecked ? 'success' : 'brand'}>
              {t(isChecked ? 'verify.seen.holds' : 'verify.seen.unchecked')}
            </Badge>
          )
        }
      />
      <p className="muted verify-note">{t('verify.seen.note')}</p>
      {all.map((finding) => (
        <div
          key={`${finding.kind} ${finding.foundAt} ${findingTexts(finding, t, presentation).join()}`}
          className={finding.kind === 'restored' ? 'verify-restored' : 'verify-found'}
        >
          {findingTexts(finding, t, presentation).map((text) => (
            <p key={text}>{text}</p>
          ))}
          {finding.kind === 'restored' && <KeptOverRestoration finding={finding} t={t} />}
          <SaveContradiction finding={finding} t={t} />
          <span className="cap num">{formatDate(finding.foundAt, 'dateTimeSeconds', presentation)}</span>
        </div>
      ))}
      {coins.map(([code, { head }]) => (
        <ListRow
          key={code}
          title={code}
          note={<bdi className="mono">{head[1].slice(0, 16)}</bdi>}
          value={<b>{formatDecimalText(head[0], presentation)}</b>}
        />
      ))}
      {coins.length === 0 && all.length === 0 && <p className="muted verify-note">{t('verify.seen.none')}</p>}
      <SaveKeptEvidence />
    </Card>
  );
}
