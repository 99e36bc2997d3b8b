/** What one endpoint says is the hash of a block. */
export interface HashClaim<Endpoint> {
  readonly endpoint: Endpoint
  readonly hash: string
}

/**
 * Why each endpoint is not to be believed, or null where it is: those whose hash most providers do not share. Endpoints of one
 * provider count once; without a majority nobody is believed; a provider alone is not judged (faults.md F05).
 */
export const judgeClaims = <Endpoint extends { readonly provider: string }>(
  claims: readonly HashClaim<Endpoint>[],
  height: bigint,
): ReadonlyMap<Endpoint, string | null> => {
  const count = (group: typeof claims) => new Set(group.map(({ endpoint }) => endpoint.provider)).size
  const providers = count(claims)
  if (providers < 2) return new Map()
  const hasMajority = (hash: string) => 2 * count(claims.filter((claim) => claim.hash === hash)) > providers
  const majority = claims.find(({ hash }) => hasMajority(hash))?.hash
  const reason =
    majority === undefined
      ? `The providers disagree about block ${height} and none has a majority.`
      : `It shows another block ${height} than most providers.`
  return new Map(claims.map(({ endpoint, hash }) => [endpoint, hash === majority ? null : reason]))
}
