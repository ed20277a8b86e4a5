/**
 * What watches in the background of every page, seconds after the first paint. One chunk, because each file costs a
 * round trip.
 */
export { default as RenewPush } from './push/renew-push.tsx';
export { default as KeepEvidence } from './receipts/keep-evidence.tsx';
export { default as RealityCheck } from './safeguards/reality-check.tsx';
export { default as UpdatePrompt } from './shell/update-prompt.tsx';
export { default as IncidentBanner } from './status/incident-banner.tsx';
