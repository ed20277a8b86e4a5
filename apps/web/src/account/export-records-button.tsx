import { Late } from '@sathorn/app/late';
import { Button, useText } from '@sathorn/ui';
import { useState } from 'react';

const loadSheet = () => import('./export-sheet.tsx');

/** Opens the choice of a file for spreadsheets and tax programs. */
export function ExportRecordsButton() {
  const { t } = useText<'money'>();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const label = t('details.export');
  return (
    <>
      <Button look="soft" size="small" icon="download" aria-label={label} title={label} onClick={() => setOpen(true)}>
        CSV
      </Button>
      <Late load={loadSheet} sheet={{ open: isOpen, onClose: close }}>
        {(ExportSheet) => <ExportSheet open={isOpen} onClose={close} />}
      </Late>
    </>
  );
}
