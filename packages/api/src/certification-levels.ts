/** This file is separate, because the console needs it without the customer's calls. */
export const CERTIFICATION_LEVELS = ['primary', 'advanced'] as const;
