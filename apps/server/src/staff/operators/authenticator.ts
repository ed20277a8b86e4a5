export * from '../../platform/authenticator.ts';
