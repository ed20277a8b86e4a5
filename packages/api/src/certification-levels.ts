/** By themselves, because the console needs them without the customer's calls. */
export const CERTIFICATION_LEVELS = ['primary', 'advanced'] as const;
