import { useRef } from 'react';

/**
 * What had the focus when an overlay opened gets it back, also when that was the page itself: the library returns it only to
 * what the Tab key reaches, and else puts a focus ring on the first button of the page. In a form in which something turned out
 * to be wrong meanwhile, that field gets it.
 */
export function useOpener(open: boolean): () => HTMLElement | true {
  const opener = useRef<Element | null>(null);
  const wasOpen = useRef(false);
  if (open && !wasOpen.current) opener.current = document.activeElement;
  wasOpen.current = open;
  return () => {
    const element = opener.current;
    if (element instanceof HTMLElement && element !== document.body && element.isConnected)
      return element.closest('form')?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? element;
    return document.querySelector<HTMLElement>('main[tabindex]') ?? true;
  };
}
