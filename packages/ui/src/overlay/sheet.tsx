import { useAsOpenSheet } from './open-sheets.ts';
import type { SheetProps } from './sheet-panel.tsx';
import { usePanel } from './use-panel.ts';
import { usePanelEntry } from './use-panel-entry.ts';

const loadPanel = () => import('./sheet-panel.tsx');

/** Loads the overlays' chunk ahead, so that the first sheet opens at once. Errors are reported when a sheet opens. */
export function preloadOverlays(): void {
  for (const load of [loadPanel(), import('./confirm-panel.tsx')]) load.catch(() => undefined);
}

/** A sheet from the bottom. Its code is loaded when the first one opens. */
export function Sheet(props: SheetProps) {
  useAsOpenSheet(props.open);
  usePanelEntry(props.open, props.blocking ? undefined : props.onClose);
  const SheetPanel = usePanel(loadPanel, props.open, props.onClose);
  return SheetPanel ? <SheetPanel {...props} /> : null;
}
