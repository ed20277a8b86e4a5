import { Button } from '@sathorn/ui';
import { type EvidenceFinding, proofOf } from '../parts/evidence/evidence-findings.ts';
import type { ReceiptText } from '../parts/receipt/use-receipt-text.ts';

/** Saves two signed texts that contradict each other, as a file that proves itself. Nothing for other findings. */
export function SaveContradiction({ finding, t }: { finding: EvidenceFinding; t: ReceiptText }) {
  const proof = proofOf(finding);
  if (proof === null) return null;
  const save = async () => {
    const { saveContradiction } = await import('../parts/evidence/save-kept-file.ts');
    saveContradiction(proof);
  };
  return (
    <Button look="soft" size="small" icon="download" onClick={() => void save()}>
      {t('verify.alert.contradiction_save')}
    </Button>
  );
}
