import { IconButton } from '../button.tsx';
import { Icon, type IconName } from '../icon.tsx';
import './toast.css';

export interface Toast {
  id: number;
  /** A later toast with the same `about` replaces this one. */
  about: string;
  text: string;
  tone: 'plain' | 'success' | 'danger';
  /** The action of the toast's button. */
  action?: { label: string; onPress: () => void };
}

const MARKS: Partial<Record<Toast['tone'], IconName>> = { success: 'check', danger: 'warning' };

interface ToastRegionProps {
  toasts: readonly Toast[];
  label: string;
  closeLabel: string;
  onClose: (id: number) => void;
}

/** Where toasts appear. The region is always mounted, so that screen readers announce new toasts. */
export function ToastRegion({ toasts, label, closeLabel, onClose }: ToastRegionProps) {
  return (
    <section className="ui-toasts" aria-label={label} aria-live="polite">
      {toasts.map(({ id, text, tone, action }) => {
        const mark = MARKS[tone];
        return (
          <div key={id} className="ui-toast" data-tone={tone}>
            {mark && <Icon name={mark} size={18} />}
            <p>{text}</p>
            {action && (
              <button
                type="button"
                className="ui-toast-action"
                onClick={() => {
                  onClose(id);
                  action.onPress();
                }}
              >
                {action.label}
              </button>
            )}
            {(action || tone === 'danger') && (
              <IconButton icon="cross" size={16} label={closeLabel} onClick={() => onClose(id)} />
            )}
          </div>
        );
      })}
    </section>
  );
}
