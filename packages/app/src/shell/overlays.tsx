import { BusyOverlay, setMissingPanelHandler, ToastRegion, useText } from '@sathorn/ui';
import { useEffect } from 'react';
import { useOverlay } from '../client/overlay.ts';
import { closeToast, showToast, useToasts } from './toasts.ts';

/** Shows the progress of submits and their results as toasts, above everything else. */
export function Overlays() {
  const { t } = useText();
  const isBusy = useOverlay((overlay) => overlay.isShown);
  const toasts = useToasts((state) => state.toasts);
  useEffect(() => setMissingPanelHandler(() => showToast(t('chunk.failed'), 'danger')), [t]);
  return (
    <>
      {isBusy && <BusyOverlay label={t('shell.loading')} />}
      <ToastRegion toasts={toasts} label={t('shell.messages')} closeLabel={t('shell.close')} onClose={closeToast} />
    </>
  );
}
