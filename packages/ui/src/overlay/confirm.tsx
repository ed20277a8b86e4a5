import type { ConfirmProps } from './confirm-panel.tsx';
import { usePanel } from './use-panel.ts';
import { usePanelEntry } from './use-panel-entry.ts';

const loadPanel = () => import('./confirm-panel.tsx');

export function Confirm(props: ConfirmProps) {
  usePanelEntry(props.open, props.busy ? undefined : props.onCancel);
  // A notice that could not be displayed is not marked as read, so it is shown again the next time.
  const ConfirmPanel = usePanel(loadPanel, props.open, props.cancelLabel === undefined ? undefined : props.onCancel);
  return ConfirmPanel ? <ConfirmPanel {...props} /> : null;
}
