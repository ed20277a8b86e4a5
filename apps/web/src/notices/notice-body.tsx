import type { Message } from '@sathorn/api';
import { RichTextView } from '@sathorn/app/content';

export interface NoticeBodyProps {
  readonly body: NonNullable<Message['body']>;
  readonly onPage: (path: string) => void;
}

export default function NoticeBody({ body, onPage }: NoticeBodyProps) {
  return <RichTextView tree={body} onPage={onPage} />;
}
