import { showToast } from '@sathorn/app/shell';
import { Button, useText } from '@sathorn/ui';
import { saveKeptFile } from '../evidence/save-kept-file.ts';
import { useReceiptText } from './use-receipt-text.ts';

/** Saves all that this device has kept as one file, and says what the file contains. */
export default function SaveKeptEvidence() {
  const texts = useText();
  const { t } = useReceiptText(true);
  if (!t) return null;
  const save = async () => {
    await saveKeptFile();
    showToast(texts.t('shell.download_done'), 'success');
  };
  return (
    <div className="stack">
      <Button look="soft" icon="download" onClick={() => void save()}>
        {t('verify.alert.evidence')}
      </Button>
      <p className="muted">{t('verify.kept.note')}</p>
    </div>
  );
}
