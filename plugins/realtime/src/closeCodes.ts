/** Codes a socket is closed with, and why (README, Closing). */
export const CLOSE = {
  idle: 1000,
  policy: 1008,
  restart: 1012,
  tryLater: 1013,
  badKey: 4401,
  tooSlow: 4408,
} as const
