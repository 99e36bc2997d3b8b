import type { BlockRef } from '@causeway/core/chain'
import { strangeAnswer } from '@causeway/core/chain-kit'
import type { ChainInput, ChainTransaction } from '../chainTransaction.js'
import { field, hashOf, hexBytes, listOf, satoshisOf, wholeOf } from '../readAnswer.js'

/** A transaction as Esplora shows it. @throws ServiceError RPC_HTTP_ERROR when it is none, or not `id` */
export const readEsploraTransaction = (value: unknown, id?: string): ChainTransaction => {
  const found = hashOf(field(value, 'txid'))
  if (id !== undefined && found !== id) throw strangeAnswer('another transaction than the one asked for')
  return {
    id: found,
    inputs: listOf(field(value, 'vin')).map(readInput),
    outputs: listOf(field(value, 'vout')).map(readOutput),
    block: readStatus(field(value, 'status')),
  }
}

/** Where a transaction is; null while it waits. */
export const readStatus = (status: unknown): BlockRef | null => {
  if (field(status, 'confirmed') !== true) return null
  const height = BigInt(wholeOf(field(status, 'block_height')))
  return { height, hash: hashOf(field(status, 'block_hash')), time: wholeOf(field(status, 'block_time')) }
}

const readInput = (input: unknown): ChainInput => {
  const sequence = wholeOf(field(input, 'sequence'))
  if (field(input, 'is_coinbase') === true) return { outpoint: null, previous: null, sequence }
  const previous = field(input, 'prevout')
  if (previous === null || previous === undefined) throw strangeAnswer('a transaction without what it spends')
  return {
    outpoint: { txId: hashOf(field(input, 'txid')), index: wholeOf(field(input, 'vout')) },
    previous: readOutput(previous),
    sequence,
  }
}

const readOutput = (output: unknown) => ({
  script: hexBytes(field(output, 'scriptpubkey')),
  value: satoshisOf(field(output, 'value')),
})
