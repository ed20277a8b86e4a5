/**
 * When what had the focus is gone with its order, the list gets it: the keyboard, and who hears the page, go on from
 * there and not from the top. Asked for before the order is gone from the page.
 */
export function focusOrders(): void {
  requestAnimationFrame(() => {
    const { activeElement } = document;
    if (activeElement === document.body || activeElement?.matches('main'))
      document.querySelector<HTMLElement>('[role=tabpanel]')?.focus({ preventScroll: true });
  });
}
