/** The URL of a static file, relative to the page's base path. */
export const assetUrl = (name: string): URL => new URL(import.meta.env.BASE_URL + name, location.href);

/** The modules with the rules. */
export const rulesUrl = (): URL => assetUrl('rules/');
