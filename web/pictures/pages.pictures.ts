import { describe, it } from 'vitest';
import { open, visitor } from '../tests/table-driver';
import { walk } from '../tests/walkthrough';
import { everySize } from './screenshot';

describe.skipIf(process.env.DOCS)('every page in every size', () => {
  it.each(['en', 'de', 'nl'])('%s', async (locale) => {
    const page = await open(await visitor({ locale }));
    await walk(page, (name) => everySize(page, `../screenshots/pages-${locale}`, name));
  });
});
