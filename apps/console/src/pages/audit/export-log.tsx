import { exportEntries, readExport } from '@sathorn/api';
import { callServer } from '@sathorn/app/client';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { Field } from '../../parts/field.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { useTexts } from '../../parts/texts/index.ts';
import { refusedActOf, useAct } from '../../use-act.ts';

const DAY_MS = 86_400_000;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Exports the part of the log that matches the current filter as a signed file. */
function ExportLogDialog({ at, onClose }: { at: Readonly<Record<string, string>>; onClose: () => void }) {
  const { t } = useTexts();
  const ask = useAct(exportEntries);
  const [since, setSince] = useState(() => dayOf(Date.now() - 6 * DAY_MS));
  const [until, setUntil] = useState(() => dayOf(Date.now()));
  const [lost, setLost] = useState<ReturnType<typeof refusedActOf> | null>(null);
  return (
    <ReasonDialog
      title={t('audit.export')}
      act={t('audit.save')}
      refused={ask.refused ?? lost}
      isBusy={ask.isBusy}
      onClose={onClose}
      onSend={async (reason) => {
        const from = new Date(`${since}T00:00:00Z`);
        // `until` includes its whole day.
        const to = new Date(Date.parse(`${until}T00:00:00Z`) + DAY_MS);
        const asked = await ask.run({ ...at, since: from.toISOString(), until: to.toISOString(), reason });
        if (!asked.ok) return false;
        const ticket = new URL(asked.data.url, location.href).searchParams.get('ticket') ?? '';
        const read = await callServer(readExport, { ticket });
        if (!read.ok) {
          setLost(refusedActOf(read));
          return false;
        }
        saveFile(read.data.name, read.data.file);
        return true;
      }}
    >
      <p className="note">{t('audit.export_what')}</p>
      {Object.entries(at).map(([name, value]) => (
        <p key={name} className="sm">
          {t(`audit.${name as 'who'}`)}: <b>{value}</b>
        </p>
      ))}
      <div className="row">
        <Field
          label={t('audit.since')}
          type="date"
          value={since}
          max={until}
          onChange={({ target }) => setSince(target.value)}
          required
        />
        <Field
          label={t('audit.until')}
          type="date"
          value={until}
          min={since}
          onChange={({ target }) => setUntil(target.value)}
          fault={ask.refused?.fields.until}
          required
        />
      </div>
    </ReasonDialog>
  );
}

export function ExportButton({ at }: { at: Readonly<Record<string, string>> }) {
  const { t } = useTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="small" look="soft" icon="download" onClick={() => setOpen(true)}>
        {t('audit.export')}
      </Button>
      {isOpen && <ExportLogDialog at={at} onClose={() => setOpen(false)} />}
    </>
  );
}
