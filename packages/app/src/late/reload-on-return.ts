import { useEffect } from 'react';
import { onReturn } from '../stream/live.ts';
import { loadAnew } from './load-anew.ts';

const MARK = 'reloaded-on-return';
/** A line that comes and goes must not reload a page that is broken for another reason over and over. */
const GUARD_MS = 10_000;
/** A device says that it is online a little before it is. */
const TRIES = 4;
const TRY_EVERY_MS = 1_000;

async function isPageThere(): Promise<boolean> {
  try {
    return (await fetch(location.pathname, { method: 'HEAD', cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

/**
 * A page whose code could not be had loads anew when the connection is back, as its button does: nothing is typed in it
 * yet, and half of its code may be there already without its styles, so asking for the rest alone is not enough.
 */
export function useReloadOnReturn(isFailed: boolean): void {
  useEffect(() => {
    if (!isFailed) return;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout>;
    const tryReload = async (triesLeft: number) => {
      clearTimeout(timer);
      // Without the page itself a reload would leave nothing at all.
      if (await isPageThere()) {
        if (isOver || Date.now() - Number(sessionStorage.getItem(MARK) ?? 0) < GUARD_MS) return;
        sessionStorage.setItem(MARK, String(Date.now()));
        void loadAnew();
      } else if (!isOver && triesLeft > 1) {
        timer = setTimeout(() => void tryReload(triesLeft - 1), TRY_EVERY_MS);
      }
    };
    const stop = onReturn(() => void tryReload(TRIES));
    return () => {
      isOver = true;
      clearTimeout(timer);
      stop();
    };
  }, [isFailed]);
}
