/** Why a node does not take a transaction; the message is what Bitcoin Core says. */
export class Refusal extends Error {
  /** @param reason one of Core's fixed words, e.g. `min relay fee not met`; @param detail what it adds in prose */
  constructor(
    readonly reason: string,
    detail?: string,
  ) {
    super(detail === undefined ? reason : `${reason}, ${detail}`)
  }
}

/** It spends what is not there, or what something mined has spent. */
export const MISSING_INPUTS = 'bad-txns-inputs-missingorspent'
/** It is in the chain, and not all it made is spent. */
export const ALREADY_MINED = 'txn-already-known'
/** It is in the mempool. */
export const ALREADY_WAITING = 'txn-already-in-mempool'
