/** The id by which the stream drops a second message. */
export const MESSAGE_ID = 'Nats-Msg-Id';
/** The subject of the process that waits for the answer. */
export const ANSWER_TO = 'Answer-To';

export function wireSubjectOf(subject: string): string {
  return `commands.${subject}`;
}

export function streamNameOf(subject: string): string {
  return `commands-${subject.replaceAll('.', '-')}`;
}
