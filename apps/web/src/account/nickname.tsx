import { editUser, type User } from '@sathorn/api';
import { FormPage, useCallForm } from '@sathorn/app/forms';
import { useNavigation } from '@sathorn/app/navigation';
import { showToast } from '@sathorn/app/shell';
import { Card, TextField, useText } from '@sathorn/ui';
import { AccountGate } from '../parts/account/account-gate.tsx';
import { useAccount } from '../parts/account/use-account.ts';

/** `#/pages/mine/setting/nickname`: changes the nickname. */
export default function Nickname() {
  return <AccountGate>{(user) => <NicknameForm user={user} />}</AccountGate>;
}

function NicknameForm({ user }: { user: User }) {
  const { t } = useText();
  const { back } = useNavigation();
  const { refresh } = useAccount();
  const { form, errorOf, submit, isBusy, refusal } = useCallForm<typeof editUser, { nickname: string }>(editUser, {
    initial: { nickname: user.nickname },
    request: ({ nickname }) => ({ nickname: nickname.trim() }),
    also: ({ nickname }) => ({
      nickname:
        nickname.trim() === '' ? 'required' : countCharacters(nickname.trim()) > 24 ? 'nickname_format' : undefined,
    }),
    refusalFields: { nickname_refused: 'nickname', nothing_to_change: 'nickname' },
    onDone: () => {
      refresh();
      showToast(t('form.saved'), 'success');
      back();
    },
  });
  return (
    <FormPage onSubmit={submit} submitLabel={t('form.save')} busy={isBusy} refusal={refusal}>
      <Card>
        <TextField
          {...form.field('nickname')}
          label={t('setting.nickname')}
          hint={t('nickname.hint')}
          error={errorOf('nickname')}
          autoComplete="nickname"
          dir="auto"
        />
      </Card>
    </FormPage>
  );
}

/** Counts characters as people do: a Thai letter with its vowel and tone mark is one character, and so is an emoji. */
function countCharacters(text: string): number {
  return [...new Intl.Segmenter().segment(text)].length;
}
