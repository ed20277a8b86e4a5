import { lazy, type ReactNode, Suspense, useState } from 'react';

export interface ConfirmProps {
  open: boolean;
  title: string;
  children?: ReactNode;
  /** Says exactly what happens: "Buy up 100 USDT". */
  confirmLabel: string;
  /** Without it there is one button. */
  cancelLabel?: string;
  onConfirm: () => void;
  /** Also when it is dismissed by the keyboard. */
  onCancel: () => void;
  danger?: boolean;
  busy?: boolean;
}

const ConfirmPanel = lazy(() => import('./confirm-panel.tsx'));

export function Confirm(props: ConfirmProps) {
  const [wasOpened, setOpened] = useState(props.open);
  if (props.open && !wasOpened) setOpened(true);
  if (!wasOpened) return null;
  return (
    <Suspense fallback={null}>
      <ConfirmPanel {...props} />
    </Suspense>
  );
}
