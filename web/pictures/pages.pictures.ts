import { describe, it } from 'vitest';
import { open, visitor } from '../tests/playing';
import { walk } from '../tests/walking';
import { everySize } from './taking';

describe.skipIf(process.env.DOCS)('every page in every size', () => {
  it.each(['en', 'de', 'nl'])('%s', async (locale) => {
    const page = await open(await visitor({ locale }));
    await walk(page, (name) => everySize(page, `../screenshots/pages-${locale}`, name));
  });
});
