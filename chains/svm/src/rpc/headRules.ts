/** The newest finalized block an endpoint shows. */
export interface HeadClaim<Endpoint> {
  readonly endpoint: Endpoint
  readonly height: bigint
}

/** How far an endpoint may be behind the others: about 30 seconds. */
const LAG_SLOTS = 75n

/** Slots that no honest node is ahead of most others. */
const AHEAD_SLOTS = 512n

/** The claim that at least half of the endpoints have reached, so that a single one cannot move it. */
export const middleClaim = <Endpoint>(claims: readonly HeadClaim<Endpoint>[]): HeadClaim<Endpoint> | undefined =>
  [...claims].sort((left, right) => (left.height < right.height ? -1 : left.height > right.height ? 1 : 0))[
    Math.floor((claims.length - 1) / 2)
  ]

/** Endpoints whose head is far behind: behind the newer of two, behind the middle of more. */
export const findLagging = <Endpoint>(claims: readonly HeadClaim<Endpoint>[]): ReadonlySet<Endpoint> => {
  let usual = claims.length > 2 ? (middleClaim(claims)?.height ?? 0n) : 0n
  if (claims.length <= 2) for (const { height } of claims) if (height > usual) usual = height
  return new Set(claims.flatMap(({ endpoint, height }) => (usual - height > LAG_SLOTS ? [endpoint] : [])))
}

/** Endpoints that show a head no other one is near: an invented one. Two alone cannot tell which is wrong. */
export const findInvented = <Endpoint>(claims: readonly HeadClaim<Endpoint>[]): ReadonlySet<Endpoint> => {
  const middle = middleClaim(claims)
  if (middle === undefined || claims.length < 3) return new Set()
  return new Set(claims.flatMap(({ endpoint, height }) => (height > middle.height + AHEAD_SLOTS ? [endpoint] : [])))
}
