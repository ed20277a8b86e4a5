import { Late, type LoadPart } from '@sathorn/app/late';
import { useNavigation } from '@sathorn/app/navigation';
import { useSession } from '@sathorn/app/session';
import { IconButton, useText } from '@sathorn/ui';
import { useState } from 'react';
import type { AlertSheetProps } from '../alerts/alert-sheet.tsx';

const loadSheet: LoadPart<AlertSheetProps> = () => import('../alerts/alert-sheet.tsx');
const nothing = () => null;

/** Opens a coin's price alerts over its page. Without a coin, or for a visitor, it opens the page of all. */
export function AlertBell({ code }: { code?: string }) {
  const { t } = useText();
  const { navigate } = useNavigation();
  const isCustomer = useSession(({ token }) => token !== null);
  const [isOpen, setOpen] = useState(false);
  const [isWanted, setWanted] = useState(false);
  const press = () => {
    if (code === undefined || !isCustomer)
      return navigate('/pages/coinList/alerts', code === undefined ? {} : { code });
    setWanted(true);
    setOpen(true);
  };
  return (
    <>
      <IconButton icon="bell" label={t('screen.alerts')} onClick={press} />
      {isWanted && code !== undefined && (
        <Late load={loadSheet} failed={nothing}>
          {(AlertSheet) => <AlertSheet code={code} open={isOpen} onClose={() => setOpen(false)} />}
        </Late>
      )}
    </>
  );
}
