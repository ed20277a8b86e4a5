import { BusyOverlay, ToastRegion, useText } from '@sathorn/ui';
import { useOverlay } from '../client/overlay.ts';
import { useToasts } from './toasts.ts';

/** Over everything: that something is being done, and what came of it. */
export function Overlays() {
  const { t } = useText();
  const isBusy = useOverlay((overlay) => overlay.isShown);
  const toasts = useToasts((state) => state.toasts);
  return (
    <>
      {isBusy && <BusyOverlay label={t('shell.loading')} />}
      <ToastRegion toasts={toasts} label={t('shell.messages')} />
    </>
  );
}
