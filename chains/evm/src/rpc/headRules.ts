/** The newest block an endpoint shows. */
export interface HeadClaim<Endpoint> {
  readonly endpoint: Endpoint
  readonly height: bigint
  /** Unix seconds. */
  readonly time: number
}

/** How far an endpoint may be behind the others. */
const LAG_SECONDS = 30

/** Blocks that no honest node is ahead of most others. */
const AHEAD_BLOCKS = 128n

const middleOf = <Value extends bigint | number>(values: readonly Value[]): Value | undefined =>
  [...values].sort((left, right) => (left < right ? -1 : left > right ? 1 : 0))[Math.floor((values.length - 1) / 2)]

/** The height that at least half of the endpoints have reached, so that a single one cannot move it. */
export const middleHeight = (claims: readonly HeadClaim<unknown>[]): bigint | undefined =>
  middleOf(claims.map(({ height }) => height))

/** Endpoints whose head is old beside the others': beside the newest of two, beside the middle of more. */
export const findLagging = <Endpoint>(claims: readonly HeadClaim<Endpoint>[]): ReadonlySet<Endpoint> => {
  const times = claims.map(({ time }) => time)
  const usual = (claims.length > 2 ? middleOf(times) : Math.max(...times)) ?? 0
  return new Set(claims.flatMap(({ endpoint, time }) => (usual - time > LAG_SECONDS ? [endpoint] : [])))
}

/** Endpoints that show a head no other one is near: an invented one. Two alone cannot tell which is wrong. */
export const findInvented = <Endpoint>(claims: readonly HeadClaim<Endpoint>[]): ReadonlySet<Endpoint> => {
  const middle = middleHeight(claims)
  if (middle === undefined || claims.length < 3) return new Set()
  return new Set(claims.flatMap(({ endpoint, height }) => (height > middle + AHEAD_BLOCKS ? [endpoint] : [])))
}
