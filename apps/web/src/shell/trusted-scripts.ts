interface TrustedTypes {
  createPolicy(name: 'default', rules: { createScriptURL(address: string): string | null }): unknown;
}

/**
 * The pages' Trusted Types policy accepts only the service worker's URL as a script, because the worker's library
 * passes it as a string. It has no rule for markup or code, so the browser refuses both, wherever an attacker might
 * inject them.
 */
(globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('default', {
  createScriptURL: (address) => (new URL(address, location.href).href === `${location.origin}/sw.js` ? address : null),
});

export {};
