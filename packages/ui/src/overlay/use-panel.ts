import { type ComponentType, useEffect, useState } from 'react';

let tell = (): void => undefined;

/** Sets the app's function that reports an overlay whose code could not be loaded. */
export function setMissingPanelHandler(how: () => void): void {
  tell = how;
}

/**
 * Loads an overlay's code when it first opens. A failure is reported, and `onMissing` closes the overlay. The next
 * opening retries, which `React.lazy` would not do.
 */
export function usePanel<Props>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  open: boolean,
  onMissing: (() => void) | undefined,
): ComponentType<Props> | undefined {
  const [Panel, setPanel] = useState<ComponentType<Props>>();
  const isWanted = open && Panel === undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per opening; the latest onMissing is called.
  useEffect(() => {
    if (!isWanted) return;
    let isOver = false;
    load().then(
      (module) => {
        if (!isOver) setPanel(() => module.default);
      },
      () => {
        if (isOver) return;
        tell();
        onMissing?.();
      },
    );
    return () => {
      isOver = true;
    };
  }, [isWanted]);
  return Panel;
}
