export type { Messages } from './messages.ts';
export { openMessages } from './open-messages.ts';
export { openNotices } from './send-notices.ts';
export type { Template, Templates } from './templates.ts';
export { isTemplate, PUSHED_TEMPLATES } from './templates.ts';
export { openMessagePreview } from './word-message.ts';
