/** Copies a text and reports whether it worked. */
export async function copyText(text: string): Promise<boolean> {
  // Undefined over plain http, although its type says otherwise.
  const clipboard: Clipboard | undefined = navigator.clipboard;
  try {
    if (clipboard === undefined) return copySelection(text);
    await clipboard.writeText(text);
    return true;
  } catch {
    return copySelection(text);
  }
}

/** The older way, which needs a selected field. It stands beside the focused one: a dialog makes the rest inert. */
function copySelection(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.style.cssText = 'position:fixed;opacity:0';
  (focused?.parentElement ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}
