import { type Failure, failureText } from '@sathorn/app/client';
import { showToast } from '@sathorn/app/shell';
import { formatCount } from '@sathorn/text';
import { Button, useText } from '@sathorn/ui';
import { useState } from 'react';

type Export = (onProgress: (count: number) => void) => Promise<{ ok: true; count: number } | Failure>;

/** Saves a file and shows the progress. `shown` is a shorter text for the button than its label. */
export function ExportButton({
  label,
  shown = label,
  load,
  isWide = false,
  isSoft = false,
}: {
  readonly label: string;
  readonly shown?: string;
  readonly load: () => Promise<Export>;
  readonly isWide?: boolean;
  readonly isSoft?: boolean;
}) {
  const { t, presentation } = useText<'money'>();
  const texts = useText();
  const [count, setCount] = useState<number | null>(null);
  const run = async () => {
    setCount(0);
    try {
      const exported = await (await load())(setCount);
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
      {...(isWide ? {} : { size: 'small' })}
      {...(isWide && !isSoft ? {} : { look: 'soft' })}
      icon="download"
      busy={count !== null}
      aria-label={count === null ? label : undefined}
      title={label}
      onClick={() => void run()}
    >
      {count === null ? shown : formatCount(count, presentation)}
    </Button>
  );
}
