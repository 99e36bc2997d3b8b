import { type LedgerNode, memoTexts, type ValidatedTransaction } from './ledgerAccount.js'

/** Who pays for the service on a ledger, and a node to ask. */
export interface XrpPayer {
  readonly node: LedgerNode
  readonly solver: string
  readonly depository: string
}

/** Payments of the service that carry an order's id, as the ledger has them. */
export const paymentsOnXrp = async (
  { node, solver, depository }: XrpPayer,
  orderId: string,
): Promise<{ readonly paid: readonly ValidatedTransaction[]; readonly withdrawn: readonly ValidatedTransaction[] }> => {
  const all = (await node.history(solver)).filter(
    (found) =>
      found.meta.TransactionResult === 'tesSUCCESS' && memoTexts(found).some((text) => text.startsWith(orderId)),
  )
  return {
    paid: all.filter(({ tx_json: { Account } }) => Account === solver),
    withdrawn: all.filter(({ tx_json: { Account } }) => Account === depository),
  }
}
