/** The newest block an endpoint shows. */
export interface HeadClaim<Endpoint> {
  readonly endpoint: Endpoint
  readonly height: bigint
  /** What the endpoint's lag is measured in: its head's time in seconds, or its height. */
  readonly progress: bigint
}

const ascending = (values: readonly bigint[]): readonly bigint[] =>
  [...values].sort((left, right) => (left < right ? -1 : left > right ? 1 : 0))

/** The value that at least half of the endpoints have reached, so that a single one cannot move it. */
export const middleOf = (values: readonly bigint[]): bigint | undefined =>
  ascending(values)[Math.floor((values.length - 1) / 2)]

/** Endpoints more than `limit` behind the others: behind the newest of two, behind the middle of more. */
export const findLagging = <Endpoint>(claims: readonly HeadClaim<Endpoint>[], limit: bigint): ReadonlySet<Endpoint> => {
  const reached = claims.map(({ progress }) => progress)
  const usual = (claims.length > 2 ? middleOf(reached) : ascending(reached).at(-1)) ?? 0n
  return new Set(claims.flatMap(({ endpoint, progress }) => (usual - progress > limit ? [endpoint] : [])))
}

/**
 * Endpoints whose head is more than `limit` above the middle one, so that no other is near: an invented one. Two alone cannot
 * tell which is wrong, but by `explained`: the highest head that the chain's own pace explains, null while it is not known.
 */
export const findInvented = <Endpoint>(
  claims: readonly HeadClaim<Endpoint>[],
  limit: bigint,
  explained: bigint | null = null,
): ReadonlySet<Endpoint> => {
  const middle = middleOf(claims.map(({ height }) => height))
  if (middle === undefined || claims.length < 2) return new Set()
  if (claims.length === 2 && explained === null) return new Set()
  const most = claims.length === 2 && explained !== null && explained > middle + limit ? explained : middle + limit
  return new Set(claims.flatMap(({ endpoint, height }) => (height > most ? [endpoint] : [])))
}
