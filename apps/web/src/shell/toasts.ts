import type { Toast } from '@sathorn/ui';
import { create } from 'zustand';

/** The specification's later reading. */
export const TOAST_MS = 2000;

export const useToasts = create<{ toasts: readonly Toast[] }>(() => ({ toasts: [] }));
let last = 0;

/** A sentence for two seconds; the same one twice in a row stays once. */
export function showToast(text: string, tone: Toast['tone'] = 'plain', durationMs = TOAST_MS): void {
  const { toasts } = useToasts.getState();
  const id = ++last;
  useToasts.setState({ toasts: [...toasts.filter((toast) => toast.text !== text), { id, text, tone }].slice(-3) });
  setTimeout(
    () => useToasts.setState(({ toasts: shown }) => ({ toasts: shown.filter((toast) => toast.id !== id) })),
    durationMs,
  );
}
