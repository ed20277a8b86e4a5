import { useRef } from 'react';

/**
 * What had the focus when an overlay opened gets it back. In a form in which something turned out to be wrong meanwhile, that field
 * gets it. When it was the page itself, that gets it from here: the library gives it only to what the Tab key reaches, and would
 * put a focus ring on the first button of the page.
 */
export function useOpener(open: boolean): () => HTMLElement | boolean {
  const opener = useRef<Element | null>(null);
  const wasOpen = useRef(false);
  if (open && !wasOpen.current) opener.current = document.activeElement;
  wasOpen.current = open;
  return () => {
    const element = opener.current;
    if (element instanceof HTMLElement && element.tabIndex >= 0 && element.isConnected)
      return element.closest('form')?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? element;
    const page = document.querySelector<HTMLElement>('main[tabindex]');
    if (!page) return true;
    queueMicrotask(() => page.focus({ preventScroll: true }));
    return false;
  };
}
