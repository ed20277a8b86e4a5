import './toast.css';

export interface Toast {
  id: number;
  text: string;
  tone: 'plain' | 'success' | 'danger';
}

/** Where toasts appear; the region is always there, so that screen readers hear what comes into it. */
export function ToastRegion({ toasts, label }: { toasts: readonly Toast[]; label: string }) {
  return (
    <section className="ui-toasts" aria-label={label} aria-live="polite">
      {toasts.map((toast) => (
        <p key={toast.id} className="ui-toast" data-tone={toast.tone}>
          {toast.text}
        </p>
      ))}
    </section>
  );
}
