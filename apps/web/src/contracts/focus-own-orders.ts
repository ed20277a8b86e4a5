/**
 * Moves the focus to the list when the focused row disappears with its order, so that keyboard and screen reader users
 * do not start again at the top. Call it before the order is removed from the page.
 */
export function focusOwnOrders(): void {
  requestAnimationFrame(() => {
    const { activeElement } = document;
    if (activeElement === document.body || activeElement?.matches('main'))
      document.querySelector<HTMLElement>('[role=tabpanel]')?.focus({ preventScroll: true });
  });
}
