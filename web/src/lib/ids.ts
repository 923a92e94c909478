/** A random unique id; `crypto.randomUUID` is missing in insecure contexts. */
export const newId = (): string =>
  [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
