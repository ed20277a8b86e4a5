import { UNMASK_FIELDS, unmaskField } from '@sathorn/api';
import { Button } from '@sathorn/ui';
import { useEffect, useState } from 'react';
import { Select, TextArea } from '../../parts/field.tsx';
import { RefusalNote } from '../../parts/states.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { Dialog } from '../../shell/dialog.tsx';
import { useAct } from '../../use-act.ts';

export function UnmaskDialog({ id, payee, onClose }: { id: string; payee?: string; onClose: () => void }) {
  const { t, time } = useTexts();
  const unmask = useAct(unmaskField);
  const [field, setField] = useState<(typeof UNMASK_FIELDS)[number]>(payee === undefined ? 'phone' : 'payee');
  const [shown, setShown] = useState<{ value: string | null; until: string; left: number } | null>(null);
  useEffect(() => {
    if (!shown) return undefined;
    const timer = setTimeout(() => setShown(null), Date.parse(shown.until) - Date.now());
    return () => clearTimeout(timer);
  }, [shown]);
  return (
    <Dialog label={t('customers.unmask')} onClose={onClose}>
      <form
        className="bd col"
        onSubmit={async (event) => {
          event.preventDefault();
          const reason = String(new FormData(event.currentTarget).get('reason') ?? '');
          const done = await unmask.run({ id, field, reason, ...(payee !== undefined && { payee }) });
          if (done.ok) setShown(done.data);
        }}
      >
        <h2>{t('customers.unmask')}</h2>
        {payee === undefined && (
          <Select
            label={t('customers.field')}
            value={field}
            onChange={({ target }) => setField(target.value as typeof field)}
            options={UNMASK_FIELDS.filter((one) => one !== 'payee').map((one) => [one, t(`customers.${one}`)])}
          />
        )}
        <TextArea name="reason" label={t('customers.why')} fault={unmask.refused?.fields.reason} />
        {shown && (
          <p className="note" role="status">
            <b className="mono">{shown.value ?? '–'}</b>{' '}
            <span className="c">{t('customers.shown_until', { time: time(shown.until), left: shown.left })}</span>
          </p>
        )}
        <RefusalNote refused={unmask.refused} />
        <p className="c">{t('customers.they_see')}</p>
        <div className="row">
          <Button size="small" look="soft" onClick={onClose}>
            {t('act.close')}
          </Button>
          <Button type="submit" size="small" busy={unmask.isBusy}>
            {t('customers.show')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
