import { Button, FactList, Sheet, Switch, useText } from '@sathorn/ui';
import { switchKeys, useKeySettings } from '../parts/keys/use-keys.ts';
import { useDeskText } from '../parts/text/desk-text.ts';

interface KeyListProps {
  open: boolean;
  onClose: () => void;
}

/** All shortcuts, and the switch that turns them off. */
export default function KeyList({ open, onClose }: KeyListProps) {
  const t = useDeskText();
  return (
    <Sheet open={open} onClose={onClose} title={t?.('keys.title') ?? ''}>
      <Keys onClose={onClose} />
    </Sheet>
  );
}

function Keys({ onClose }: Pick<KeyListProps, 'onClose'>) {
  const t = useDeskText();
  const texts = useText();
  const areOn = useKeySettings((settings) => settings.areOn);
  if (!t) return null;
  const rows = [
    [t('keys.up'), 'U'],
    [t('keys.down'), 'D'],
    [t('keys.buy'), 'B'],
    [t('keys.sell'), 'S'],
    [texts.t('coins.search'), '/'],
    [t('keys.list'), '?'],
  ] as const;
  return (
    <>
      <FactList facts={rows.map(([name, key]) => ({ name, value: <kbd>{key}</kbd> }))} />
      <Switch label={t('keys.on')} note={t('keys.note')} checked={areOn} onChange={switchKeys} />
      <Button look="soft" onClick={onClose}>
        {texts.t('shell.close')}
      </Button>
    </>
  );
}
