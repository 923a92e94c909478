/** Where the files of this page lie: beside it, wherever that is. */
export const assetUrl = (name: string): URL => new URL(import.meta.env.BASE_URL + name, location.href);

/** The modules with the rules. */
export const rulesUrl = (): URL => assetUrl('rules/');
