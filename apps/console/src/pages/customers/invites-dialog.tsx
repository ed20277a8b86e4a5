import { allowInvites, type CustomerProfile } from '@sathorn/api';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { useAct } from '../../use-act.ts';

export function InvitesDialog({ profile, onClose }: { profile: CustomerProfile; onClose: () => void }) {
  const { t } = useTexts();
  const allow = useAct(allowInvites);
  return (
    <ReasonDialog
      title={t(profile.invite_allowed ? 'customers.take_invites' : 'customers.give_invites')}
      {...allow}
      onSend={async (reason) =>
        (await allow.run({ id: profile.id, allowed: profile.invite_allowed ? 'no' : 'yes', reason })).ok
      }
      onClose={onClose}
    />
  );
}
