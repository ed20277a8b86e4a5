import { failureText } from '@sathorn/app/client';
import { showToast } from '@sathorn/app/shell';
import { formatCount } from '@sathorn/text';
import { Button, useText } from '@sathorn/ui';
import { useState } from 'react';

/** Saves the statement for tax programs and shows the progress. */
export function ExportRecordsButton() {
  const { t, presentation } = useText<'money'>();
  const texts = useText();
  const [count, setCount] = useState<number | null>(null);
  const run = async () => {
    setCount(0);
    try {
      const { exportRecords } = await import('./export-records.ts');
      const exported = await exportRecords(setCount);
      if (!exported.ok) showToast(failureText(exported, texts), 'danger');
      else if (exported.count === 0) showToast(t('details.export_none'));
      else showToast(t('details.export_done', { count: exported.count }), 'success', { durationMs: 4000 });
    } catch {
      showToast(t('chunk.failed'), 'danger');
    } finally {
      setCount(null);
    }
  };
  return (
    <Button
      look="soft"
      size="small"
      icon="download"
      busy={count !== null}
      aria-label={count === null ? t('details.export') : undefined}
      title={t('details.export')}
      onClick={() => void run()}
    >
      {count === null ? 'CSV' : formatCount(count, presentation)}
    </Button>
  );
}
