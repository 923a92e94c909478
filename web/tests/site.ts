/** The built site on a web space that knows nothing: plain files under some path. */
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

export const SITE = fileURLToPath(new URL('../../site', import.meta.url));
export const PATH = '/some/where/';
const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

export async function serveSite(): Promise<{ base: string; server: Server }> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://site');
    const name = normalize(pathname.slice(PATH.length)) || 'index.html';
    const file = join(SITE, name === '.' ? 'index.html' : name);
    if (!pathname.startsWith(PATH) || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>nothing here</h1>');
      return;
    }
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return { base: `http://127.0.0.1:${port}${PATH}`, server };
}
