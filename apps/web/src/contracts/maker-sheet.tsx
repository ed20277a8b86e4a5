import { Sheet, useText } from '@sathorn/ui';
import { MakerDisclosure } from './maker-disclosure.tsx';

/** A sheet over the market, so that the ticket's input is kept. */
export default function MakerSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useText();
  return (
    <Sheet open={open} onClose={onClose} title={t('screen.market_maker')}>
      <MakerDisclosure />
    </Sheet>
  );
}
