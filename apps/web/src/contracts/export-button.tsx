import { failureText } from '@sathorn/app/client';
import { showToast } from '@sathorn/app/shell';
import { formatCount } from '@sathorn/text';
import { Button, useText } from '@sathorn/ui';
import { useState } from 'react';

/** Saves the fills of one coin, or of all, for tax programs, and shows the progress. */
export function ExportButton({ code }: { code: string | undefined }) {
  const { t, presentation } = useText<'contracts'>();
  const texts = useText();
  const [count, setCount] = useState<number | null>(null);
  const run = async () => {
    setCount(0);
    const { exportFills } = await import('./export-fills.ts');
    const exported = await exportFills(code, setCount);
    setCount(null);
    if (!exported.ok) showToast(failureText(exported, texts), 'danger');
    else if (exported.count === 0) showToast(t('contracts.export_none'));
    else showToast(t('contracts.export_done', { count: exported.count }), 'success', { durationMs: 4000 });
  };
  return (
    <Button
      look="soft"
      size="small"
      icon="download"
      busy={count !== null}
      aria-label={t('contracts.export')}
      title={t('contracts.export_note')}
      onClick={() => void run()}
    >
      {count === null ? 'CSV' : formatCount(count, presentation)}
    </Button>
  );
}
