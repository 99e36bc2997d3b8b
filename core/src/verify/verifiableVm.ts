import type { AddressCodec } from '../order/encoding/addressCodec.js'
import type { QuoteSteps, SignatureStep, TransactionStep } from './checkSteps.js'
import type { DepositFacts, PermitFacts } from './depositFacts.js'

/** How quotes that begin on a VM are verified; each chain package exports its own from `./verify`, without its SDK. */
export interface VerifiableVm {
  /** As `vmType` of the wire spells it (wire.md 0.2). */
  readonly vmType: string
  /** Its name in orders (chains.md, Names). */
  readonly protocolVmType: string
  /** Bytes of its addresses and currencies in order ids; absent: one of the nine, which core knows. */
  readonly addressCodec?: AddressCodec
  /** Set where the first step of a deposit is a signature that names its order (wire.md 2.8): `checkDeposit` is given that step too. */
  readonly mapsDeposits?: true
  /**
   * Notes in `facts.findings` whatever these steps do that is not the deposit of `facts`, and what it cannot tell. Throws
   * `UnreadableQuoteError` or `OrderEncodingError` for what cannot be read; both count as a problem of the quote.
   */
  checkDeposit(steps: readonly TransactionStep[], facts: DepositFacts): void
  /**
   * The same of a deposit that its user only signs for, and of the transactions that come before. Absent: the VM has no such deposits, and a
   * quote with one is refused.
   */
  checkPermit?(steps: QuoteSteps & { readonly signature: SignatureStep }, facts: PermitFacts): void
}
