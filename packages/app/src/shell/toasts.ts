import type { Toast } from '@sathorn/ui';
import { create } from 'zustand';

/** The specification gives two values; this is the later one. */
export const TOAST_MS = 2000;
/** Two lines about a failed payment take longer to read. */
const DANGER_TOAST_MS = 6000;

export const useToasts = create<{ toasts: readonly Toast[] }>(() => ({ toasts: [] }));
let last = 0;

interface ToastOptions {
  durationMs?: number;
  /** The subject of the toast: the next toast about the same subject replaces it. */
  about?: string;
  action?: Toast['action'];
}

/** Shows a sentence for two seconds, or six after a failure. Repeating the same sentence does not add another toast. */
export function showToast(
  text: string,
  tone: Toast['tone'] = 'plain',
  { durationMs = tone === 'danger' ? DANGER_TOAST_MS : TOAST_MS, about = text, action }: ToastOptions = {},
): void {
  const { toasts } = useToasts.getState();
  last += 1;
  const id = last;
  const toast = { id, about, text, tone, ...(action ? { action } : {}) };
  useToasts.setState({
    toasts: [...toasts.filter((shown) => shown.about !== about && shown.text !== text), toast].slice(-3),
  });
  setTimeout(() => closeToast(id), durationMs);
}

export function closeToast(id: number): void {
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }));
}
