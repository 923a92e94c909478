/** Encodes values for a link: JSON, deflated, as base64url. */

async function pipe(bytes: Uint8Array<ArrayBuffer>, stream: TransformStream): Promise<Uint8Array> {
  const output = new Blob([bytes]).stream().pipeThrough(stream as ReadableWritablePair);
  return new Uint8Array(await new Response(output).arrayBuffer());
}

export async function pack(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  const deflated = await pipe(bytes, new CompressionStream('deflate-raw'));
  return btoa(String.fromCharCode(...deflated))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

export async function unpack(text: string): Promise<unknown> {
  const letters = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const deflated = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  return JSON.parse(
    new TextDecoder().decode(await pipe(deflated, new DecompressionStream('deflate-raw'))),
  ) as unknown;
}
