import { token } from '../../container/tokens.js'

/** Calls with a key on one day of UTC. */
export interface KeyUseDay {
  /** `2026-11-01`. */
  readonly day: string
  readonly calls: number
  /** Those of them that were answered with 400 or more. */
  readonly refused: number
}

/** How often keys are used, where something counts it. */
export interface KeyUses {
  /** The last `days` days up to now, oldest first; days without a call are left out. */
  daysOf(key: { readonly integratorId: string; readonly apiKeyId: string }, days: number): Promise<readonly KeyUseDay[]>
}

export const KEY_USES = token<KeyUses>('core/KeyUses')

/** One limit of a key. */
export interface KeyLimit {
  readonly bucket: string
  /** Calls admitted in a window. */
  readonly limit: number
  readonly windowSeconds: number
  /** Calls still admitted now; null: it is not known without a call. */
  readonly remaining: number | null
  /** Until the window ends; null: none has begun, or it is not known. */
  readonly resetSeconds: number | null
}

/** What limits keys have and what is left of them, where something limits calls. Counts nothing. */
export interface KeyLimits {
  /** By key, in the order of the keys; each with every bucket. */
  limitsOf(
    keys: readonly { readonly apiKeyId: string; readonly elevated: boolean }[],
  ): Promise<readonly (readonly KeyLimit[])[]>
}

export const KEY_LIMITS = token<KeyLimits>('core/KeyLimits')
