import { Button, RadioList, Sheet, Switch, useText } from '@sathorn/ui';
import { setContractPreferences, useContractPreferences } from './contract-preferences.ts';
import type { ContractTicket } from './contract-ticket.ts';

const TIMES = ['GTC', 'IOC', 'FOK'] as const;

interface TicketConditionsProps {
  open: boolean;
  ticket: ContractTicket;
  onChange: (part: Partial<Pick<ContractTicket, 'timeInForce' | 'isPostOnly'>>) => void;
  onClose: () => void;
}

/** Rarely needed options: time in force, post-only, and whether to confirm each order. */
export default function TicketConditions({ open, ticket, onChange, onClose }: TicketConditionsProps) {
  const { t } = useText<'contracts'>();
  const asksFirst = useContractPreferences((preferences) => preferences.asksFirst);
  return (
    <Sheet open={open} onClose={onClose} title={t('contracts.advanced')}>
      {ticket.type === 'limit' && (
        <>
          <p className="cap">{t('contracts.time_in_force')}</p>
          <RadioList
            legend={t('contracts.time_in_force')}
            name="tif"
            value={ticket.timeInForce}
            onChange={(timeInForce) => onChange({ timeInForce })}
            choices={TIMES.map((value) => ({
              value,
              label: t(`contracts.tif.${value}`),
              note: t(`contracts.tif.${value}_note`),
            }))}
          />
          <Switch
            label={t('contracts.post_only')}
            note={t('contracts.post_only_note')}
            checked={ticket.isPostOnly && ticket.timeInForce === 'GTC'}
            disabled={ticket.timeInForce !== 'GTC'}
            onChange={(isPostOnly) => onChange({ isPostOnly })}
          />
        </>
      )}
      <Switch
        label={t('contracts.ask_first')}
        checked={asksFirst}
        onChange={(chosen) => setContractPreferences({ asksFirst: chosen })}
      />
      <Button look="soft" onClick={onClose}>
        {t('shell.close')}
      </Button>
    </Sheet>
  );
}
