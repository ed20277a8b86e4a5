import { answerRealityCheck, type RealityCheck as Check, countMinute } from '@sathorn/api';
import { callServer } from '@sathorn/app/client';
import { Late } from '@sathorn/app/late';
import { useNavigation } from '@sathorn/app/navigation';
import { useSession } from '@sathorn/app/session';
import { type ComponentType, useEffect, useState } from 'react';
import { onOwnLimitsChanged } from './own-limits-changed.ts';
import type { RealityQuestionProps } from './reality-question.tsx';

const MINUTE_MS = 60_000;
// Few customers have asked for the reality check, so its texts do not load with the page.
const loadQuestion = () => import('./reality-question.tsx');

/** Counts the minutes with the app in front and shows the reality check, for customers who asked for it. */
export default function RealityCheck() {
  const token = useSession((session) => session.token);
  return token === null ? null : <Counting key={token} />;
}

function Counting() {
  const { navigate } = useNavigation();
  const [check, setCheck] = useState<Check | null>(null);
  const [isCounting, setCounting] = useState(true);
  useEffect(() => onOwnLimitsChanged(() => setCounting(true)), []);
  useEffect(() => {
    if (!isCounting) return;
    const count = async () => {
      if (document.visibilityState !== 'visible') return;
      const answer = await callServer(countMinute, {});
      if (!answer.ok) return;
      setCounting(answer.data.counts);
      if (answer.data.check) setCheck(answer.data.check);
    };
    void count();
    const timer = setInterval(() => void count(), MINUTE_MS);
    return () => clearInterval(timer);
  }, [isCounting]);
  const close = () => {
    setCheck(null);
    void callServer(answerRealityCheck, {});
  };
  return (
    // A question that could not be loaded gets no answer, so the server asks again.
    <Late load={loadQuestion} sheet={{ open: check !== null, onClose: () => setCheck(null) }}>
      {(Question: ComponentType<RealityQuestionProps>) => (
        <Question
          check={check}
          onGoOn={close}
          onBreak={() => {
            close();
            navigate('/pages/mine/limits');
          }}
        />
      )}
    </Late>
  );
}
