export { type MessagePage, type Messages, openMessages } from './open-messages.ts';
export type { Template, Templates } from './templates.ts';
export { isTemplate, PUSHED_TEMPLATES } from './templates.ts';
