import { Button } from '@sathorn/ui';
import type { ReactNode } from 'react';
import { Dialog } from '../shell/dialog.tsx';
import type { RefusedAct } from '../use-act.ts';
import { TextArea } from './field.tsx';
import { RefusalNote } from './states.tsx';
import { useTexts } from './texts/index.ts';

/** Asks for a written reason without a proof: what will happen, why, and the button that does it. */
export function ReasonDialog({
  title,
  why,
  act,
  refused,
  isBusy,
  isDanger = false,
  children,
  onSend,
  onClose,
}: {
  title: string;
  why?: string;
  act?: string;
  refused: RefusedAct | null;
  isBusy: boolean;
  isDanger?: boolean;
  children?: ReactNode;
  /** Resolves to true if the act succeeded, which closes the dialog. */
  onSend: (reason: string) => Promise<boolean>;
  onClose: () => void;
}) {
  const { t } = useTexts();
  return (
    <Dialog label={title} onClose={onClose}>
      <form
        className="bd col"
        onSubmit={async (event) => {
          event.preventDefault();
          const reason = String(new FormData(event.currentTarget).get('reason') ?? '');
          if (await onSend(reason)) onClose();
        }}
      >
        <h2>{title}</h2>
        {children}
        <TextArea name="reason" label={why ?? t('customers.why')} fault={refused?.fields.reason} required />
        <RefusalNote refused={refused} />
        <div className="row">
          <Button size="small" look="soft" onClick={onClose}>
            {t('act.cancel')}
          </Button>
          <Button type="submit" size="small" look={isDanger ? 'danger' : 'brand'} busy={isBusy}>
            {act ?? title}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
