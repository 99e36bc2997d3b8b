const NUL = '\u0000'
const loneSurrogate = /\p{Surrogate}/u

/**
 * Whether a database keeps a text as it is. PostgreSQL refuses U+0000 in any text and half a surrogate pair in JSON, so
 * that such a text, let in, would fail where it is stored or searched for instead of here (faults.md F91).
 */
export const isStorableText = (text: string): boolean => !text.includes(NUL) && !loneSurrogate.test(text)
