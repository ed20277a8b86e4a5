export { type BeaconClient, openBeacon } from './beacon-client.ts';
export type { Boxes } from './boxes.ts';
export { demoBoxes } from './demo-boxes.ts';
export { boxOffer } from './offer-kind.ts';
export { openBoxes } from './open-boxes.ts';
export type { ProposedBox } from './publish-box.ts';
