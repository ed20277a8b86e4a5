import { setPreferences, usePreferences } from '@sathorn/app/preferences';
import { IconButton, useText } from '@sathorn/ui';
import type { ReactNode } from 'react';
import './hide-amounts-head.css';

export const useAreAmountsHidden = (): boolean => usePreferences((preferences) => preferences.hideBalances);

/** The header of a list of amounts, with the button that hides amounts in the whole app. */
export function HideAmountsHead({ children }: { children: ReactNode }) {
  const { t } = useText();
  const isHidden = useAreAmountsHidden();
  return (
    <div className="with-eye">
      {children}
      <IconButton
        icon={isHidden ? 'eye-off' : 'eye'}
        size={20}
        label={t(isHidden ? 'home.show_balances' : 'home.hide_balances')}
        onClick={() => setPreferences({ hideBalances: !isHidden })}
      />
    </div>
  );
}
