export { type Invites, type InvitesDependencies, openInvites } from './open-invites.ts';
