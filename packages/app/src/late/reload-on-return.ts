import { useEffect } from 'react';
import { onStreamReturn } from '../stream/live.ts';
import { reloadNewest } from './reload-newest.ts';

const MARK = 'reloaded-on-return';
/** An unstable connection must not repeatedly reload a page that is broken for another reason. */
const GUARD_MS = 10_000;
/** A device reports that it is online shortly before it is. */
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
 * Reloads a page whose code could not be loaded when the connection returns, as its button does. Nothing has been typed
 * into it yet. Some code may be loaded without its styles, so loading only the rest is not enough.
 */
export function useReloadOnReturn(isFailed: boolean): void {
  useEffect(() => {
    if (!isFailed) return;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout>;
    const tryReload = async (triesLeft: number) => {
      clearTimeout(timer);
      // Reloading while the page itself is unreachable would leave a blank tab.
      if (await isPageThere()) {
        if (isOver || Date.now() - Number(sessionStorage.getItem(MARK) ?? 0) < GUARD_MS) return;
        sessionStorage.setItem(MARK, String(Date.now()));
        void reloadNewest();
      } else if (!isOver && triesLeft > 1) {
        timer = setTimeout(() => void tryReload(triesLeft - 1), TRY_EVERY_MS);
      }
    };
    const stop = onStreamReturn(() => void tryReload(TRIES));
    return () => {
      isOver = true;
      clearTimeout(timer);
      stop();
    };
  }, [isFailed]);
}
