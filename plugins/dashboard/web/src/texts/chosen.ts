/** None in the service itself, where pages are drawn for all. */
const readersLanguages = typeof document === 'undefined' ? [] : navigator.languages

/** The catalogue of the reader's language, and that of English where there is none: each area has its own, so that none loads another's. */
export const chosen = <Texts>(catalogues: { readonly en: Texts } & Readonly<Record<string, Texts>>): Texts => {
  for (const language of readersLanguages) {
    const catalogue = catalogues[language.split('-')[0] ?? '']
    if (catalogue !== undefined) return catalogue
  }
  return catalogues.en
}
