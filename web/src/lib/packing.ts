/** Values small enough for a link: JSON, deflated, in the letters of a link. */

async function through(bytes: Uint8Array<ArrayBuffer>, stream: TransformStream): Promise<Uint8Array> {
  const piped = new Blob([bytes]).stream().pipeThrough(stream as ReadableWritablePair);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}

export async function packed(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  const small = await through(bytes, new CompressionStream('deflate-raw'));
  return btoa(String.fromCharCode(...small))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

export async function unpacked(text: string): Promise<unknown> {
  const letters = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const small = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  return JSON.parse(
    new TextDecoder().decode(await through(small, new DecompressionStream('deflate-raw'))),
  ) as unknown;
}
