export { openPush, type PushDependencies, type PushRoom } from './open-push.ts';
export type { PushTransport } from './push-service.ts';
