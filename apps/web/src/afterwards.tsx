/**
 * Every page starts these watchers some seconds after its first paint. They share a chunk, because each file costs a
 * round trip.
 */
export { default as RenewPush } from './push/renew-push.tsx';
export { default as KeepEvidence } from './receipts/keep-evidence.tsx';
export { default as RealityCheck } from './safeguards/reality-check.tsx';
export { default as UpdatePrompt } from './shell/update-prompt.tsx';
export { default as IncidentBanner } from './status/incident-banner.tsx';
