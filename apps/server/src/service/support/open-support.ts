import { customerTopic, operatorTopic } from '../../platform/edge/topic-source.ts';
import type { Job, Module } from '../../platform/module.ts';
import { conversationCalls, inboxCalls } from './calls.ts';
import { ANSWER_PROMISED_MINUTES, openConversation } from './conversation.ts';
import { openInbox } from './inbox.ts';
import { listReadyAnswersHandler } from './list-ready-answers.ts';
import { listSamplesHandler, SAMPLE_REVIEW_WITHIN_MS } from './list-samples.ts';
import { listSupportThreadsHandler } from './list-support-threads.ts';
import { markSampleHandler } from './mark-sample.ts';
import { proposeReadyAnswerHandler } from './propose-ready-answer.ts';
import { readyAnswerKind } from './ready-answers.ts';
import { countSamples } from './sample-store.ts';
import type { Support, SupportDependencies } from './support.ts';
import { listUnnoticedThreads, noteThreadNotice } from './support-store.ts';
import { uploadSupportPictureHandler } from './upload-support-picture.ts';
import { writeAsVisitorHandler } from './write-as-visitor.ts';

/** An answer that is unread for this long causes a notice. */
const UNREAD_MS = 45_000;
const LOOK_EVERY_MS = 10_000;

export function openSupport(module: SupportDependencies): Module<Support> {
  const conversation = openConversation(module);
  const inbox = openInbox(module);
  const api: Support = {
    async queue(now, desk) {
      const { open, overdue, oldest } = await inbox.counts(now, desk);
      return {
        waiting: open,
        overdue,
        oldestAt: oldest,
        dueAt: oldest && new Date(oldest.getTime() + ANSWER_PROMISED_MINUTES * 60_000),
      };
    },
    async samples(now) {
      const { waiting, late, oldest } = await countSamples(
        module.database,
        new Date(now.getTime() - SAMPLE_REVIEW_WITHIN_MS),
      );
      const dueAt = oldest && new Date(oldest.getTime() + SAMPLE_REVIEW_WITHIN_MS);
      return { waiting, overdue: late, oldestAt: oldest, dueAt };
    },
    readyKind: readyAnswerKind,
    async notice(now) {
      for (const thread of await listUnnoticedThreads(module.database, new Date(now.getTime() - UNREAD_MS))) {
        const { id, customer, last_of_staff: number } = thread;
        // Visitors were answered by mail or SMS and get no notice.
        if (customer === null) continue;
        // The notice's id includes the answer's number, so that a crash in between does not send it twice.
        await module.messages.send(customer, 'support_answered', {}, now, `${id} ${number}`);
        await noteThreadNotice(module.database, id, number);
      }
    },
  };
  const noticeJob: Job = {
    on: 'housekeeper',
    async run(signal) {
      if (signal.aborted) return;
      let noticing: Promise<void> = Promise.resolve();
      const timer = setInterval(() => {
        noticing = api.notice(module.clock.now()).catch(module.onFault);
      }, LOOK_EVERY_MS);
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      clearInterval(timer);
      await noticing;
    },
  };
  return {
    api,
    handlers: [
      writeAsVisitorHandler(module),
      ...conversationCalls(conversation),
      listSupportThreadsHandler(inbox),
      listSamplesHandler(module),
      markSampleHandler(module),
      uploadSupportPictureHandler(module),
      ...inboxCalls(inbox),
      listReadyAnswersHandler(module),
      proposeReadyAnswerHandler(module),
    ],
    topics: [
      customerTopic('support', (customer) => conversation.state(customer)),
      operatorTopic('inbox', inbox.latest),
    ],
    jobs: [noticeJob],
  };
}
