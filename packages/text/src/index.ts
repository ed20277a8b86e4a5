export * from './dates.ts';
export * from './duration.ts';
export * from './fault-key.ts';
export * from './language.ts';
export * from './message-key.ts';
export * from './numbers.ts';
export * from './presentation.ts';
export * from './texts.ts';
