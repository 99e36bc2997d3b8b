import type { Arrival, Live } from '@causeway/core/chain'
import type { ArrivalsIn, JsonRpcEndpoint } from '@causeway/core/chain-kit'
import { askOne } from '../../../adapter/ledgerChain/src/ledgerNode.js'
import { blockRef } from '../../../adapter/ledgerChain/src/ledgerSource.js'
import type { SimRecord } from '../simTransaction.js'

/** Memo of native money that a contract pays: blocks do not show such a payment, only balances do. */
export const BY_CONTRACT = 'by a contract'

/** Reads whole blocks and compares whom they paid, in these currencies, with the addresses in memory. */
export const blockArrivals =
  (currencies: readonly string[]): ArrivalsIn<JsonRpcEndpoint> =>
  async (endpoint, { after, upTo }, live) => {
    const range = [Number(after) + 1, Number(upTo)]
    const records = await askOne<readonly SimRecord[]>(endpoint, 'ledger_blocks', range)
    return records.flatMap((record) => arrivalOf(record, live, currencies) ?? [])
  }

const arrivalOf = (
  { id, transfer, status, block }: SimRecord,
  live: Live,
  currencies: readonly string[],
): Arrival | null => {
  const { to, from, currency, amount, memo } = transfer
  if (memo === BY_CONTRACT || status !== 'success' || block === null || !live.has(to) || !currencies.includes(currency))
    return null
  return {
    state: 'included',
    tx: { id },
    position: 0,
    to: { address: to },
    money: { currency, amount: BigInt(amount) },
    sender: from,
    block: blockRef(block),
  }
}
