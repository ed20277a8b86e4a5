import { type ComponentType, startTransition, useEffect, useState } from 'react';

type ScreenModule = { default: ComponentType };
export type LoadScreen = () => Promise<ScreenModule>;

/** A chunk that loads faster than this shows no loading state. */
export const LOADING_AFTER_MS = 200;
/** A page that takes longer than this shows an error. */
export const PAGE_TIMEOUT_MS = 60_000;
/** A script that takes longer than this counts as failed. */
export const CHUNK_TIMEOUT_MS = 120_000;

export type LoadPhase = 'waiting' | 'loading' | 'timed_out' | 'failed' | 'ready';

/** Decides what to show while a page's code has been loading for this long. */
export function loadPhaseOf(elapsedMs: number): Exclude<LoadPhase, 'ready'> {
  if (elapsedMs < LOADING_AFTER_MS) return 'waiting';
  if (elapsedMs < PAGE_TIMEOUT_MS) return 'loading';
  return elapsedMs < CHUNK_TIMEOUT_MS ? 'timed_out' : 'failed';
}

const loaded = new Map<LoadScreen, ComponentType>();

/** Returns a screen's component, or the state of loading it. */
export function useLazyScreen(load: LoadScreen): { phase: LoadPhase; Component: ComponentType | undefined } {
  const [state, setState] = useState<{ load: LoadScreen; phase: LoadPhase }>({ load, phase: 'waiting' });
  const Component = loaded.get(load);

  useEffect(() => {
    if (loaded.has(load)) return;
    let isOver = false;
    const tell = (phase: LoadPhase) => {
      if (!isOver) setState({ load, phase });
    };
    const timers = [LOADING_AFTER_MS, PAGE_TIMEOUT_MS, CHUNK_TIMEOUT_MS].map((ms) =>
      setTimeout(() => tell(loadPhaseOf(ms)), ms),
    );
    const stop = () => {
      isOver = true;
      for (const timer of timers) clearTimeout(timer);
    };
    load().then(
      (module: ScreenModule) => {
        loaded.set(load, module.default);
        // A transition renders in slices; rendering a whole screen at once would block the page.
        startTransition(() => tell('ready'));
        stop();
      },
      () => {
        tell('failed');
        stop();
      },
    );
    return stop;
  }, [load]);

  return { phase: Component ? 'ready' : state.load === load ? state.phase : 'waiting', Component };
}
