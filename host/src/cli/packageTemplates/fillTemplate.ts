/** Puts values in the places of a template: `{ WORD: 'acme' }` in those of `__WORD__`. */
export const fillTemplate = (text: string, values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .reduce((filled, [place, value]) => filled.replaceAll(`__${place}__`, value), text)
    .trimStart()
