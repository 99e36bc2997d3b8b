/** Amount in a part of an account, smallest unit; 0: it is empty again. */
export interface PartSum {
  readonly part: string
  readonly currency: string
  readonly amount: bigint
}

/** Amounts in the parts of an account by its history up to a height, on which all providers that were asked agree. */
export interface AccountSumsAt {
  /** Height above which the history was read. */
  readonly since: bigint
  readonly height: bigint
  /** Height up to which something moved. */
  readonly moved: bigint
  readonly sums: readonly PartSum[]
}

/**
 * Sums of accounts that many deposit addresses share, kept between starts, so that a start reads on where the last reading ended
 * (faults.md F155). Only where nothing that is in a block leaves the chain (`capabilities.absoluteFinality`).
 */
export interface KeptSums {
  /** Null where none are kept. */
  load(chainId: number, account: string): Promise<AccountSumsAt | null>
  /**
   * Keeps the sums that changed since those of height `after`, or all of them in place of what is kept (null). Returns false, and keeps
   * nothing, where what is kept is older than `after` or newer than these.
   */
  save(chainId: number, account: string, changed: AccountSumsAt, after: bigint | null): Promise<boolean>
}
