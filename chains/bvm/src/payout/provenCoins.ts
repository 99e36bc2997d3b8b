import { ServiceError } from '@causeway/core'
import { equalBytes } from '../address/scriptAddress.js'
import { type RawTransaction, readRawTransaction } from '../rpc/rawTransaction.js'
import type { SourcePool } from '../rpc/sourcePool.js'
import { type Outpoint, outpointText } from './coins/coin.js'
import type { PayoutInput } from './payoutTransaction.js'

/**
 * Outpoints of coins that are not what one node said of them, as `outpointText` writes them: the bytes of what made them, which
 * its id proves, show another value or script, or some trusted provider that answers has no such transaction. A payment out of
 * a coin that does not exist could neither land nor be proven dead. `young` names those that could not be spent yet if a
 * coinbase made them, which Esplora does not tell.
 * @throws ServiceError SERVICE_UNAVAILABLE when no provider answers
 */
export const findFalseCoins = async (
  coins: readonly PayoutInput[],
  pool: Pick<SourcePool, 'providers'>,
  young: ReadonlySet<string> = new Set(),
): Promise<ReadonlySet<string>> => {
  const ids = [...new Set(coins.map(({ txId }) => txId))]
  if (ids.length === 0) return new Set()
  // Those that failed just now would only make all wait.
  const rested = pool.providers.filter((endpoint) => endpoint.rested)
  const answers = await Promise.allSettled(
    (rested.length > 0 ? rested : pool.providers).map((endpoint) =>
      endpoint.ask((source) => Promise.all(ids.map(async (id) => [id, await source.rawTransaction(id)] as const))),
    ),
  )
  const shown = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [new Map(answer.value)] : []))
  if (shown.length === 0) throw new ServiceError('SERVICE_UNAVAILABLE', 'No node of this chain can be trusted now.')
  const transactions = shown.map((bytes) => readAll(bytes))
  const isTrue = (coin: PayoutInput) =>
    transactions.every((parents) => {
      const parent = parents.get(coin.txId)
      return isMadeBy(coin, parent) && !(young.has(outpointText(coin)) && isCoinbase(parent))
    })
  return new Set(coins.filter((coin) => !isTrue(coin)).map((coin: Outpoint) => outpointText(coin)))
}

const readAll = (bytes: ReadonlyMap<string, Uint8Array | null>): ReadonlyMap<string, RawTransaction> =>
  new Map([...bytes].flatMap(([id, raw]) => (raw === null ? [] : [[id, readRawTransaction(raw, id)] as const])))

const isMadeBy = ({ index, value, script }: PayoutInput, parent: RawTransaction | undefined): boolean => {
  const output = parent?.outputs[index]
  return output !== undefined && output.value === value && equalBytes(output.script, script)
}

const isCoinbase = (parent: RawTransaction | undefined): boolean =>
  parent?.inputs.some(({ outpoint }) => outpoint === null) === true
