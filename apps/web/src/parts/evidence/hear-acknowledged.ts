import { hearAnswers } from '@sathorn/app/client';

/** The beginnings of all routes with lasting facts. The table of them loads with the first such answer. */
export const LASTING =
  /^(?:GET|POST) \/(?:coin\/(?:trans|wait|recur)\/|coin\/order\/(?:sell|info)$|yuebao\/|users\/extract|users\/account\/lists|pay\/(?:lists|submit)$)/;

const load = () => import('./acknowledgements.ts');

/** Compares what the platform answers with what it signed before. Returns how to stop it. */
export const hearAcknowledged = (): (() => void) =>
  hearAnswers((answer) => {
    if (LASTING.test(answer.route)) void load().then(({ followAnswer }) => followAnswer(answer));
  });
