import { answerRealityCheck, type RealityCheck as Check, countMinute } from '@sathorn/api';
import { callServer } from '@sathorn/app/client';
import { Late } from '@sathorn/app/late';
import { useNavigation } from '@sathorn/app/navigation';
import { useSession } from '@sathorn/app/session';
import { type ComponentType, useEffect, useState } from 'react';
import { onChange } from './own-limits-changed.ts';
import type { RealityQuestionProps } from './reality-question.tsx';

const MINUTE_MS = 60_000;
// Few customers have asked for it, so its texts are not loaded with the page.
const loadQuestion = () => import('./reality-question.tsx');

/** Counts the minutes in which the app is in front, for customers who asked for it, and shows their reality check. */
export default function RealityCheck() {
  const token = useSession((session) => session.token);
  return token === null ? null : <Counting key={token} />;
}

function Counting() {
  const { navigate } = useNavigation();
  const [check, setCheck] = useState<Check | null>(null);
  const [isCounting, setCounting] = useState(true);
  useEffect(() => onChange(() => setCounting(true)), []);
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
    // A question that could not be loaded is not answered, so the server asks again.
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
