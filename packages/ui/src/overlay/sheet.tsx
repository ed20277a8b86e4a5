import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useAsOpenSheet } from './open-sheets.ts';

export interface SheetProps {
  open: boolean;
  onClose: () => void;
  title: string;
  titleUnseen?: boolean;
  /** While something is in flight it can't be closed. */
  blocking?: boolean;
  children: ReactNode;
}

const loadPanel = () => import('./sheet-panel.tsx');
const SheetPanel = lazy(loadPanel);

/** Fetches the overlays' chunk before it is needed, so that the first sheet opens at once. Whether it came, opening one tells. */
export function preloadOverlays(): void {
  for (const load of [loadPanel(), import('./confirm-panel.tsx')]) load.catch(() => undefined);
}

/** A sheet from the bottom. Its code comes with the first one that opens. */
export function Sheet(props: SheetProps) {
  const [wasOpened, setOpened] = useState(props.open);
  if (props.open && !wasOpened) setOpened(true);
  useAsOpenSheet(props.open);
  if (!wasOpened) return null;
  return (
    <Suspense fallback={null}>
      <SheetPanel {...props} />
    </Suspense>
  );
}
