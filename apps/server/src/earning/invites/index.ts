export type { Invites, InvitesDependencies } from './invites.ts';
export { openInvites } from './open-invites.ts';
