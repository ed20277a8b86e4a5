import { useText } from '@sathorn/ui';
import { type ComponentType, type ReactNode, Suspense, useEffect, useState } from 'react';
import { showToast } from '../shell/toasts.ts';
import type { Chunk } from './chunk-of.ts';
import { Rescue } from './rescue.tsx';

interface OpenedProps<Props> {
  is: boolean;
  onClose: () => void;
  chunk: Chunk<Props>;
  children: (Part: ComponentType<Props>) => ReactNode;
}

/** Around a sheet whose code comes with its first opening; it stays, so that it can sink away and give the focus back. */
export function Opened<Props>({ is, onClose, chunk, children }: OpenedProps<Props>) {
  const [wasOpened, setOpened] = useState(is);
  if (is && !wasOpened) setOpened(true);
  if (!wasOpened) return null;
  const onFailed = () => {
    chunk.renew();
    setOpened(false);
    onClose();
  };
  return (
    <Rescue instead={<Failed onFailed={onFailed} />}>
      <Suspense fallback={null}>{children(chunk.Part)}</Suspense>
    </Rescue>
  );
}

/** Says that nothing will open, so that the button may be pressed again. */
function Failed({ onFailed }: { onFailed: () => void }) {
  const { t } = useText();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once each time that it failed.
  useEffect(() => {
    showToast(t('chunk.failed'), 'danger');
    onFailed();
  }, []);
  return null;
}
