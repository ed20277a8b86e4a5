/** The id by which the stream detects duplicates. */
export const MESSAGE_ID_HEADER = 'Nats-Msg-Id';
/** The subject on which the requesting process waits for the answer. */
export const ANSWER_TO_HEADER = 'Answer-To';

export function wireSubjectOf(subject: string): string {
  return `commands.${subject}`;
}

export function streamNameOf(subject: string): string {
  return `commands-${subject.replaceAll('.', '-')}`;
}
