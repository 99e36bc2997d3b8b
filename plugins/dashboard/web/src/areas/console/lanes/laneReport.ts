/** What is read of `causeway lanes --json`. */
export interface LanesReport {
  readonly lanes: readonly LaneReport[]
}

export interface UnmatchedPayment {
  readonly txId: string
  readonly orderId: string
  readonly purpose: string | null
  readonly recipient: string
  readonly currency: string
  readonly amount: string
  readonly status: string
  readonly blockHeight: string | null
  /** Unix milliseconds. */
  readonly foundAt: number
  readonly shuts: boolean
  readonly deposits: readonly string[]
}

export interface LaneSpending {
  readonly currency: string
  readonly spent: string
  readonly limit: string | null
}

export interface LaneReport {
  readonly chainId: number
  readonly chain: string
  readonly signer: string
  readonly state: string
  readonly reason: string | null
  readonly position: string | null
  readonly height: string | null
  readonly liveAttempts: number
  readonly notFinal: number
  readonly former: boolean
  readonly named: boolean
  readonly waitingForLimit: number
  /** Unix milliseconds. */
  readonly oldestUnpaidAt: number | null
  readonly spending: readonly LaneSpending[]
  readonly unmatched: readonly UnmatchedPayment[]
}
