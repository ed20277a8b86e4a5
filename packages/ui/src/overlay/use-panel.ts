import { type ComponentType, useEffect, useState } from 'react';

let tell = (): void => undefined;

/** The app says how it tells that a sheet or a question will not open, because its code could not be had. */
export function tellMissingPanels(how: () => void): void {
  tell = how;
}

/**
 * The code of an overlay, which comes with its first opening. When it can't be had that is told, and `onMissing` closes
 * what was to open: the next opening asks for it anew, which a lazy component does once only.
 */
export function usePanel<Props>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  open: boolean,
  onMissing: (() => void) | undefined,
): ComponentType<Props> | undefined {
  const [Panel, setPanel] = useState<ComponentType<Props>>();
  const isWanted = open && Panel === undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once each time that it is wanted; who opened it hears of it as it is then.
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
