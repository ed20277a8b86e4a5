import { useEffect, useRef } from 'react';
import { addPanelEntry } from './panel-entries.ts';

/** Makes Back close the panel while it is open. `close` is undefined while it cannot be closed. */
export function usePanelEntry(open: boolean, close: (() => void) | undefined): void {
  const latest = useRef(close);
  latest.current = close;
  useEffect(() => {
    if (!open) return;
    return addPanelEntry({
      close: () => {
        latest.current?.();
        return latest.current !== undefined;
      },
    });
  }, [open]);
}
