const load = () => import('./follow-log.ts');

/** Looks at the platform's public log when the app opens and when it comes back. Returns a function that stops it. */
export function watchLog(): () => void {
  const look = (): void => {
    // A code file that does not load is left to the next look.
    if (document.visibilityState === 'visible')
      void load().then(
        ({ lookAtLog }) => lookAtLog(),
        () => undefined,
      );
  };
  look();
  document.addEventListener('visibilitychange', look);
  return () => document.removeEventListener('visibilitychange', look);
}
