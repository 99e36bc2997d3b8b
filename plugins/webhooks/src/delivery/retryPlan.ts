export interface RetryPlan {
  /** Waits after the first failure, the second and so on; after one more the delivery is parked. */
  readonly delaysMs: readonly number[]
  /** Share by which each wait is shorter or longer at random, so that receivers are not hit by all at once. */
  readonly jitter: number
}

/** When a delivery that failed `attempts` times is tried again, Unix milliseconds; null when no retry is left (wire.md H.4). */
export const retryAt = (
  { delaysMs, jitter }: RetryPlan,
  { attempts, now, random }: { readonly attempts: number; readonly now: number; readonly random: number },
): number | null => {
  const delay = delaysMs[attempts - 1]
  return delay === undefined ? null : now + Math.round(delay * (1 - jitter + 2 * jitter * random))
}
