/** How well a currency answers a search text: 0 equal, 1 begins with it, 2 contains it, null not at all. */
export type MatchRank = 0 | 1 | 2

/** The best rank among `texts`; all of them and `term` are lower-case (wire.md 4.1). */
export const matchRank = (texts: readonly string[], term: string): MatchRank | null => {
  if (texts.includes(term)) return 0
  if (texts.some((text) => text.startsWith(term))) return 1
  return texts.some((text) => text.includes(term)) ? 2 : null
}
