import { type DepositRecord, sendTestDeposit, submitDeposit } from '@sathorn/api';
import { failureText, useCall } from '@sathorn/app/client';
import { showToast } from '@sathorn/app/shell';
import { formatPercent } from '@sathorn/text';
import { Button, Card, CardHead, Icon, IconButton, ProgressBar, useText } from '@sathorn/ui';
import { useRef, useState } from 'react';
import { uploadPicture } from '../parts/forms/upload-picture.ts';
import { useApplyRecordNews } from '../parts/money/use-records.ts';
import { useSystemConfig } from '../shell/config.ts';

interface Uploaded {
  name: string;
  bytes: number;
  /** The upload's progress from 0 to 1. */
  share: number;
  /** The id of the uploaded picture; null before. */
  id: string | null;
}

/** The picture of the bank slip. It uploads with progress, and the customer submits it with a button. */
export function Slip({ record }: { record: DepositRecord }) {
  const { t, presentation } = useText<'money'>();
  const texts = useText();
  const [upload, setUpload] = useState<Uploaded>();
  const [fault, setFault] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  // A removed file must not reappear when its upload finishes.
  const round = useRef(0);
  const submit = useCall(submitDeposit, { quiet: true });
  const takeRecord = useApplyRecordNews();
  const isDemo = useSystemConfig()?.mode === 'demo';

  const putAside = () => {
    round.current += 1;
    setUpload(undefined);
    if (input.current) input.current.value = '';
  };
  const take = async (file: File | undefined) => {
    if (!file) return;
    round.current += 1;
    const own = round.current;
    setFault(undefined);
    const begun: Uploaded = { name: file.name, bytes: file.size, share: 0, id: null };
    setUpload(begun);
    const answer = await uploadPicture(file, (share) => own === round.current && setUpload({ ...begun, share }));
    if (own !== round.current) return;
    if (answer.ok) return setUpload({ ...begun, share: 1, id: answer.data.id });
    putAside();
    setFault(answer.isAnswered ? failureText(answer, texts) : t('said.upload_failed'));
  };
  const send = async () => {
    if (!upload?.id) return;
    const answer = await submit.submit({ channel: record.channel, id: record.id, slip: upload.id });
    if (!answer.ok) {
      if (answer.code === 'slip_unknown') putAside();
      setFault(Object.values(answer.fields)[0] ?? failureText(answer, texts));
      return;
    }
    takeRecord({ deposit: [answer.data] });
    putAside();
    showToast(t('slip.sent'), 'success');
  };

  const percent = formatPercent((upload?.share ?? 0).toFixed(2), presentation, { maxDecimals: 0 });
  return (
    <>
      <Card>
        <CardHead title={t('slip.title')} trail={<span className="muted">{t('slip.matched_by')}</span>} />
        {record.has_slip && !upload ? (
          <p className="slip-sent">
            <Icon name="check" size={18} />
            <span>{t('slip.in_review')}</span>
          </p>
        ) : (
          !upload && <p className="muted">{t('slip.lead')}</p>
        )}
        {upload && (
          <div className="slip-file">
            <span className="slip-picture">
              <Icon name="document" size={22} />
            </span>
            <div className="slip-progress">
              <p className="row num">
                <bdi className="slip-name">{upload.name}</bdi>
                <b>{percent}</b>
              </p>
              <ProgressBar share={upload.share} label={t('slip.uploading', { percent })} />
              <p className="cap">{t(upload.id === null ? 'slip.going_up' : 'slip.is_up')}</p>
            </div>
            <IconButton icon="cross" size={20} label={t('slip.put_aside')} onClick={putAside} />
          </div>
        )}
        {fault && (
          <p className="slip-fault" role="alert">
            <Icon name="warning" size={17} />
            <span>{fault}</span>
          </p>
        )}
        <label className="slip-choose" hidden={upload !== undefined}>
          <Icon name="upload" size={19} />
          <span>{t(record.has_slip ? 'slip.choose_other' : 'slip.choose')}</span>
          <input
            ref={input}
            className="unseen"
            type="file"
            accept="image/jpeg,image/png,image/webp"
            onChange={(event) => void take(event.target.files?.[0])}
          />
        </label>
        {upload && (
          <div className="slip-send">
            <Button busy={submit.isBusy} disabled={upload.id === null} onClick={() => void send()}>
              {t(upload.id === null ? 'slip.send_when_up' : 'slip.send')}
            </Button>
          </div>
        )}
      </Card>
      {isDemo && <TestPayment record={record} />}
    </>
  );
}

/** Demo only: the test bank reports the payment. */
function TestPayment({ record }: { record: DepositRecord }) {
  const { t } = useText<'money'>();
  const report = useCall(sendTestDeposit, { withoutOverlay: true });
  const takeRecord = useApplyRecordNews();
  const run = async () => {
    const answer = await report.submit({ channel: record.channel, id: record.id });
    if (!answer.ok) return;
    showToast(t('slip.test_reported'), 'success', { durationMs: 4000 });
    takeRecord({});
  };
  return (
    <Card className="deposit-test">
      <p className="muted">{t('slip.test_lead')}</p>
      <Button look="soft" busy={report.isBusy} onClick={() => void run()}>
        {t('slip.test_report')}
      </Button>
    </Card>
  );
}
