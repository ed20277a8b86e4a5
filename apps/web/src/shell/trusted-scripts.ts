interface TrustedTypes {
  createPolicy(name: 'default', rules: { createScriptURL(address: string): string | null }): unknown;
}

/**
 * The pages' policy takes no text for a script: of addresses only the service worker's, which its library gives as a
 * text. There is no rule for markup or code, so the browser refuses both, whoever finds a place to put them.
 */
(globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('default', {
  createScriptURL: (address) => (new URL(address, location.href).href === `${location.origin}/sw.js` ? address : null),
});

export {};
