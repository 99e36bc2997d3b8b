import { en } from './en/en.js'

/** Every word that people read, by subject. A further language is another catalogue of this shape. */
export type Texts = typeof en

const CATALOGUES: Readonly<Record<string, Texts>> = { en }

const chosen = (): Texts => {
  for (const language of navigator.languages) {
    const catalogue = CATALOGUES[language.split('-')[0] ?? '']
    if (catalogue !== undefined) return catalogue
  }
  return en
}

export const texts: Texts = chosen()
