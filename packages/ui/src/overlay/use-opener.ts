import { useRef } from 'react';

/**
 * Returns the element that gets the focus when an overlay closes: the one that had it before. If a field of that
 * element's form (or of an element with `data-form`, which Enter does not submit) has an error by then, that field gets
 * it. The page and a keypad are handled here, because the library focuses only elements that the Tab key reaches, and
 * would put a focus ring on the page's first button.
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
    // A page that loaded under the overlay could not focus its first element itself.
    const place =
      isThere && !element.matches('main')
        ? element
        : (document.querySelector<HTMLElement>('main [data-autofocus]') ??
          document.querySelector<HTMLElement>('main[tabindex]'));
    if (!place) return true;
    queueMicrotask(() => place.focus({ preventScroll: true }));
    return false;
  };
}
