import { Drawer } from '@base-ui/react/drawer';
import type { ReactNode, RefObject } from 'react';
import { useOpener } from './use-opener.ts';
import { useSettling } from './use-settling.ts';
import './sheet.css';

/** A panel that slides in from the bottom. It can be swiped away, traps the focus and returns it. */
export default function SheetPanel({
  open,
  onClose,
  title,
  titleUnseen = false,
  children,
  blocking = false,
  initialFocus,
}: SheetProps) {
  const opener = useOpener(open);
  const { isSettling, guard } = useSettling(open);
  return (
    <Drawer.Root
      open={open}
      onOpenChange={(isOpen, { reason }) => {
        const isSecondTap = isSettling && reason === 'outside-press';
        if (!isOpen && !blocking && !isSecondTap) onClose();
      }}
      disablePointerDismissal={blocking}
    >
      <Drawer.Portal>
        <Drawer.Backdrop className="ui-scrim" />
        <Drawer.Viewport className="ui-sheet-view">
          <Drawer.Popup className="ui-sheet" initialFocus={initialFocus} finalFocus={opener} {...guard}>
            <div className="ui-sheet-handle" aria-hidden="true" />
            <Drawer.Content className="ui-sheet-content">
              <Drawer.Title className={titleUnseen ? 'unseen' : 'ui-sheet-title'}>{title}</Drawer.Title>
              {children}
            </Drawer.Content>
          </Drawer.Popup>
        </Drawer.Viewport>
      </Drawer.Portal>
    </Drawer.Root>
  );
}

export interface SheetProps {
  open: boolean;
  onClose: () => void;
  title: string;
  titleUnseen?: boolean;
  /** A request is in flight, so the panel cannot be closed. */
  blocking?: boolean;
  /** The element that gets the focus when the panel opens; by default the panel itself. */
  initialFocus?: RefObject<HTMLElement | null>;
  children: ReactNode;
}
