import { NavBar, useText } from '@sathorn/ui';
import { type ReactNode, useEffect } from 'react';
import { createPressGuard } from '../client/press-guard.ts';
import { useNavigation } from '../navigation/navigation.tsx';

/** Sets the browser's title. An empty title keeps the one from the screen table. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    if (title !== '') document.title = title;
  }, [title]);
}

// A double press would go back two steps. Opening a page twice is harmless.
const mayPress = createPressGuard();

/** The navigation bar for pages that draw their own: back button, title, and an optional element at the end. */
export function PageBar({ title, trail }: { title: ReactNode; trail?: ReactNode }) {
  const { back } = useNavigation();
  const { t } = useText();
  useDocumentTitle(typeof title === 'string' ? title : '');
  return <NavBar title={title} backLabel={t('shell.back')} onBack={() => mayPress() && back()} trail={trail} />;
}
