import { useRef } from 'react';

/**
 * What had the focus when an overlay opened gets it back. In a form (or what has `data-form`, which Enter does not
 * send) in which something turned out to be wrong meanwhile, that field gets it. The page itself and a keypad get it
 * from here: the library gives it only to what the Tab key reaches, and would put a focus ring on the first button of
 * the page.
 */
export function useOpener(open: boolean): () => HTMLElement | boolean {
  const opener = useRef<Element | null>(null);
  const wasOpen = useRef(false);
  if (open && !wasOpen.current) opener.current = document.activeElement;
  wasOpen.current = open;
  return () => {
    const element = opener.current;
    const isThere = element instanceof HTMLElement && element !== document.body && element.isConnected;
    if (isThere && element.tabIndex >= 0)
      return element.closest('form, [data-form]')?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? element;
    const place = isThere ? element : document.querySelector<HTMLElement>('main[tabindex]');
    if (!place) return true;
    queueMicrotask(() => place.focus({ preventScroll: true }));
    return false;
  };
}
