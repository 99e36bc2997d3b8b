/** How words are kept that requests are found by: `0x` forms compare without case, others exactly (wire.md 0.1). */
export const searchTerm = (word: string): string => (/^0x[0-9a-f]+$/i.test(word) ? word.toLowerCase() : word)
