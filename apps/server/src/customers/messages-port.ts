/** What this room tells a customer. Times are ISO 8601. */
export interface MessageParams {
  welcome: Record<never, never>;
  sign_in: { device: string; address: string; at: string };
  password_changed: { at: string };
  /** With a code, without the old one. */
  password_reset: { at: string };
  paypass_changed: { at: string };
  paypass_locked: { until: string };
  contact_changed: { at: string };
}
export type MessageTemplate = keyof MessageParams;

/** The messages room's door, as far as this room needs it. */
export interface Messages {
  send<Template extends MessageTemplate>(
    owner: bigint,
    template: Template,
    params: MessageParams[Template],
    now: Date,
  ): Promise<void>;
}
