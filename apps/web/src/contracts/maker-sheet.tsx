import { Sheet, useText } from '@sathorn/ui';
import { MakerDisclosure } from './maker-disclosure.tsx';

/** The disclosure over the market, so that what was typed there is not lost. */
export default function MakerSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useText();
  return (
    <Sheet open={open} onClose={onClose} title={t('screen.market_maker')}>
      <MakerDisclosure />
    </Sheet>
  );
}
