import { AlertDialog } from '@base-ui/react/alert-dialog';
import type { ReactNode } from 'react';
import { Button } from '../button.tsx';
import { useOpener } from './use-opener.ts';
import { useSettling } from './use-settling.ts';
import './sheet.css';

/** Asks for a confirmation; stays until it is answered. */
export default function ConfirmPanel({
  open,
  title,
  children,
  confirmLabel,
  cancelLabel,
  onConfirm,
  onCancel,
  danger = false,
  busy = false,
}: ConfirmProps) {
  const opener = useOpener(open);
  const { guard } = useSettling(open);
  return (
    <AlertDialog.Root open={open} onOpenChange={(isOpen) => !isOpen && !busy && onCancel()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="ui-scrim ui-confirm-scrim" />
        <AlertDialog.Viewport className="ui-confirm-view">
          <AlertDialog.Popup className="ui-confirm" finalFocus={opener} {...guard}>
            <AlertDialog.Title className="ui-confirm-title">{title}</AlertDialog.Title>
            <AlertDialog.Description className="ui-confirm-text" render={<div />}>
              {children}
            </AlertDialog.Description>
            <div className="ui-confirm-actions">
              {cancelLabel !== undefined && (
                <Button look="soft" onClick={onCancel} disabled={busy}>
                  {cancelLabel}
                </Button>
              )}
              <Button look={danger ? 'danger' : 'brand'} busy={busy} onClick={onConfirm}>
                {confirmLabel}
              </Button>
            </div>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

export interface ConfirmProps {
  open: boolean;
  title: string;
  children?: ReactNode;
  /** The exact consequence: "Buy up 100 USDT". */
  confirmLabel: string;
  /** Without it, the panel has only the confirm button. */
  cancelLabel?: string;
  onConfirm: () => void;
  /** Also called when the customer dismisses the panel by keyboard or by going back. */
  onCancel: () => void;
  danger?: boolean;
  busy?: boolean;
}
