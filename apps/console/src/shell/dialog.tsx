import { type ReactNode, useEffect, useRef } from 'react';
import { useKeys } from '../keys.ts';

/** A native modal dialog: it traps the focus and returns it on closing. Key bindings below it are off. */
export function Dialog({
  label,
  onClose,
  children,
  size = 'medium',
}: {
  label: string;
  onClose: () => void;
  children: ReactNode;
  size?: 'medium' | 'large';
}) {
  const element = useRef<HTMLDialogElement>(null);
  useKeys({ escape: onClose }, true);
  useEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={element}
      className="dlg"
      data-size={size}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      {children}
    </dialog>
  );
}
