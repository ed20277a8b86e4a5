import { useEffect, useRef } from 'react';
import { addPanel } from './panel-entries.ts';

/** Going back closes the panel, for as long as it is open. `close` is undefined while it can't be closed. */
export function usePanelEntry(open: boolean, close: (() => void) | undefined): void {
  const latest = useRef(close);
  latest.current = close;
  useEffect(() => {
    if (!open) return;
    return addPanel({
      close: () => {
        latest.current?.();
        return latest.current !== undefined;
      },
    });
  }, [open]);
}
