import type { Contradiction } from '@sathorn/proof';
import { Button } from '@sathorn/ui';
import type { ReceiptText } from '../parts/receipt/use-receipt-text.ts';

/** Saves two signed texts that contradict each other, as a file that proves itself. */
export function SaveContradiction({ contradiction, t }: { contradiction: Contradiction; t: ReceiptText }) {
  const save = async () => {
    const { saveContradiction } = await import('../parts/evidence/save-kept-file.ts');
    saveContradiction(contradiction);
  };
  return (
    <Button look="soft" size="small" icon="download" onClick={() => void save()}>
      {t('verify.alert.contradiction_save')}
    </Button>
  );
}
