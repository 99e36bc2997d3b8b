const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** How far a nonce, Unix milliseconds, may lie behind and ahead of now for the chain to take it (chains.md, hypevm 5). */
export const NONCE_PAST_MS = 2 * DAY_MS
export const NONCE_AHEAD_MS = DAY_MS
/** How long after its transfer a mapping may still come (chains.md, hypevm 4). */
export const LATE_MAPPING_MS = HOUR_MS

/** Whether a transfer with this nonce can still be sent; both Unix milliseconds. */
export const isNonceOpen = (nonce: number, now: number): boolean =>
  nonce > now - NONCE_PAST_MS && nonce < now + NONCE_AHEAD_MS

/** Whether a mapping counts for a transfer: one that came more than an hour after it does not. Both Unix milliseconds. */
export const isMappingTimely = ({ createdAt }: { readonly createdAt: number }, transferAt: number): boolean =>
  createdAt <= transferAt + LATE_MAPPING_MS
