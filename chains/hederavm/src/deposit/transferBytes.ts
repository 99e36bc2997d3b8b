import { loadSdk } from '../lane/sdk.js'
import { addTransfers } from '../lane/transfers.js'

/** An entry of a transfer, as a step has it. */
export interface TransferJson {
  readonly accountId: string
  /** Decimal text; below 0 for the account that pays. */
  readonly amount: string
  readonly tokenId?: string
}

/** Bytes of a transfer without id and nodes, as `Transaction.fromBytes` of the SDK reads them. */
export const transferBytes = async ({
  transfers,
  memo,
  maxTransactionFee,
}: {
  readonly transfers: readonly TransferJson[]
  readonly memo: string
  readonly maxTransactionFee: bigint
}): Promise<Uint8Array> => {
  const sdk = await loadSdk()
  const entries = transfers.map(({ accountId, amount, tokenId }) => ({
    account: accountId,
    amount,
    token: tokenId ?? null,
  }))
  return addTransfers(sdk, new sdk.TransferTransaction(), entries)
    .setTransactionMemo(memo)
    .setMaxTransactionFee(sdk.Hbar.fromTinybars(maxTransactionFee.toString()))
    .toBytes()
}
