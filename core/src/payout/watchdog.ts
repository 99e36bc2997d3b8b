/** While a payout works, the request's own next action is to look whether it still does. */
export const WATCHDOG_MS = 600_000
