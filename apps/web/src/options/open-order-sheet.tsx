import type { OptionOrder } from '@sathorn/api';
import { useNavigation } from '@sathorn/app/navigation';
import { Button, Sheet, useText } from '@sathorn/ui';
import { useRef } from 'react';
import { ResultView } from './result-view.tsx';
import './result-sheet.css';

/** Everything about an open bet. When the bet ends, the sheet closes and the result replaces it. */
export default function OpenOrderSheet({ order, onClose }: { order: OptionOrder | undefined; onClose: () => void }) {
  const { t } = useText();
  const { navigate } = useNavigation();
  // The order stays visible while the sheet slides away.
  const last = useRef(order);
  if (order) last.current = order;
  const shown = last.current;
  return (
    <Sheet open={order !== undefined} onClose={onClose} title={t('option.status.holding')} titleUnseen>
      {shown && (
        <div className="result-sheet">
          <ResultView order={shown} />
          <Button
            look="soft"
            onClick={() => {
              onClose();
              navigate('/pages/Option/orderRecord/receipt', { id: shown.id });
            }}
          >
            {t('option.open_receipt')}
          </Button>
        </div>
      )}
    </Sheet>
  );
}
