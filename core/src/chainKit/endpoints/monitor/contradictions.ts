/** What one endpoint says is the hash of a block. */
export interface Claim<Endpoint> {
  readonly endpoint: Endpoint
  readonly hash: string
}

/**
 * Why each endpoint is not to be believed, or null where it is: those whose hash fewer providers share than another one's.
 * Endpoints of one provider count once; without a majority nobody is believed. A provider alone is not judged: there is
 * nobody to ask, so whatever was thought of it before stands.
 */
export const findContradictions = <Endpoint extends { readonly provider: string }>(
  claims: readonly Claim<Endpoint>[],
  height: bigint,
): ReadonlyMap<Endpoint, string | null> => {
  const providers = new Set(claims.map(({ endpoint }) => endpoint.provider))
  if (providers.size < 2) return new Map()
  const supporters = new Map<string, Set<string>>()
  for (const { endpoint, hash } of claims) {
    supporters.set(hash, (supporters.get(hash) ?? new Set()).add(endpoint.provider))
  }
  const hasMajority = (hash: string) => 2 * (supporters.get(hash)?.size ?? 0) > providers.size
  const majority = [...supporters.keys()].find(hasMajority)
  return new Map(
    claims.map(({ endpoint, hash }) => [
      endpoint,
      hash === majority
        ? null
        : majority === undefined
          ? `The providers disagree about block ${height} and none has a majority.`
          : `It shows another block ${height} than most providers.`,
    ]),
  )
}
