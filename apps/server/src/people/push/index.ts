export { openPush } from './open-push.ts';
export type { PushDependencies, PushModule } from './push.ts';
export type { PushTransport } from './push-service.ts';
