import { NavBar, useText } from '@sathorn/ui';
import type { ReactNode } from 'react';
import { createPressGuard } from '../client/press-guard.ts';
import { useNavigation } from '../navigation/navigation.tsx';

// Opening the same page twice is opening it once, but two steps back are two.
const mayPress = createPressGuard();

/** The navigation bar of a page that draws its own: title, back, something at the end. */
export function PageBar({ title, trail }: { title: ReactNode; trail?: ReactNode }) {
  const { back } = useNavigation();
  const { t } = useText();
  return <NavBar title={title} backLabel={t('shell.back')} onBack={() => mayPress() && back()} trail={trail} />;
}
