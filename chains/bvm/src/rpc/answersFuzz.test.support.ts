import { readMutated } from '@causeway/core/testing'
import fc from 'fast-check'
import { parsedBlock, provenBlock } from './core/coreBlocks.js'
import { readEsploraTransaction } from './esplora/esploraTransaction.js'
import { parseExactJson } from './exactJson.js'
import { readRawTransaction } from './rawTransaction.js'
import { bitcoinsOf, field, hashOf, hexBytes, listOf, wholeOf } from './readAnswer.js'

const ID = 'ab'.repeat(32)
/** The coinbase of the first block of the main network. */
const GENESIS =
  '01000000010000000000000000000000000000000000000000000000000000000000000000ffffffff4d04ffff001d0104455468652054696d65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e206272696e6b206f66207365636f6e64206261696c6f757420666f722062616e6b73ffffffff0100f2052a01000000434104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5fac00000000'

const transaction = {
  txid: ID,
  vin: [{ txid: ID, vout: 0, sequence: 1, is_coinbase: false, prevout: { scriptpubkey: '0014', value: 7 } }],
  vout: [{ scriptpubkey: '0014', value: 5 }],
  status: { confirmed: true, block_height: 9, block_hash: ID, block_time: 1_700_000_000 },
}

const header = { height: 9, hash: ID, time: 1_700_000_000, confirmations: 1, previousblockhash: ID, tx: [ID] }

interface Sample {
  readonly answer: unknown
  read(answer: unknown): unknown
}

/** Answers of Bitcoin Core and Esplora as they give them, and how they are read. */
export const samples: readonly Sample[] = [
  { answer: transaction, read: readEsploraTransaction },
  {
    answer: header,
    read: (value) => [
      BigInt(wholeOf(field(value, 'height'))),
      hashOf(field(value, 'hash')),
      wholeOf(field(value, 'time')),
      listOf(field(value, 'tx')).map(hashOf),
    ],
  },
  { answer: GENESIS, read: (value) => readRawTransaction(hexBytes(value)) },
  { answer: '00'.repeat(80), read: (value) => provenBlock(parsedBlock(hexBytes(value)), ID) },
  { answer: { amount: '0.00000007' }, read: (value) => bitcoinsOf(field(value, 'amount')) },
]

/** Requires that each answer of a node is read, or is the node's failure. */
export const checkReaders = (numRuns: number): void => {
  const property = fc.property(fc.gen(), fc.nat({ max: samples.length - 1 }), (gen, at) => {
    const { read, answer } = samples[at] as Sample
    const chance = { below: (count: number) => gen(fc.nat, { max: count - 1 }), anything: () => gen(fc.jsonValue) }
    // As it comes over the wire: numbers with a point are text then.
    const parsed = (mutated: unknown) => read(parseExactJson(JSON.stringify(mutated ?? null)))
    readMutated({ answer, read: parsed }, chance)
  })
  fc.assert(property, { numRuns })
}
