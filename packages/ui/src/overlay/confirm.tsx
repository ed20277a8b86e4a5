import type { ReactNode } from 'react';
import { usePanel } from './use-panel.ts';
import { usePanelEntry } from './use-panel-entry.ts';

export interface ConfirmProps {
  open: boolean;
  title: string;
  children?: ReactNode;
  /** States exactly what happens: "Buy up 100 USDT". */
  confirmLabel: string;
  /** Without it there is only the confirm button. */
  cancelLabel?: string;
  onConfirm: () => void;
  /** Also called when it is dismissed by the keyboard or by going back. */
  onCancel: () => void;
  danger?: boolean;
  busy?: boolean;
}

const loadPanel = () => import('./confirm-panel.tsx');

export function Confirm(props: ConfirmProps) {
  usePanelEntry(props.open, props.busy ? undefined : props.onCancel);
  // A notice that could not be displayed is not marked as read, so it is shown again the next time.
  const ConfirmPanel = usePanel(loadPanel, props.open, props.cancelLabel === undefined ? undefined : props.onCancel);
  return ConfirmPanel ? <ConfirmPanel {...props} /> : null;
}
