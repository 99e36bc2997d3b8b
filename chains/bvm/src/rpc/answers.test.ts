import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { NETWORKS } from '../address/networks.js'
import { addressOfScript } from '../address/scriptAddress.js'
import { checkReaders, samples } from './answersFuzz.test.support.js'
import { readEsploraTransaction } from './esplora/esploraTransaction.js'

test('answers as nodes give them are read', () => {
  const [esplora, core, raw, , amount] = samples
  for (const sample of [esplora, core, raw, amount]) expect(() => sample?.read(sample.answer)).not.toThrow()
})

test('F161: truncated, null, wrong, huge and more: what is no answer is the failure of its node, never another error', () => {
  checkReaders(600)
})

interface RecordedOutput {
  readonly scriptpubkey_type: string
  readonly scriptpubkey_address?: string
}

interface Recorded {
  readonly txid: string
  readonly vin: readonly { readonly prevout: RecordedOutput }[]
  readonly vout: readonly RecordedOutput[]
  readonly fee: number
  readonly status: { readonly confirmed: boolean; readonly block_height?: number }
}

/** Transactions of the main network in the form of Esplora, as mempool/mempool recorded them. */
const { transactions }: { readonly transactions: readonly Recorded[] } = JSON.parse(
  readFileSync(new URL('./esplora/fixtures/transactions.json', import.meta.url), 'utf8'),
)

test.each(transactions)('the recorded transaction $txid is read whole', (recorded) => {
  const { id, inputs, outputs, block } = readEsploraTransaction(recorded, recorded.txid)
  expect(id).toBe(recorded.txid)
  expect(block?.height ?? null).toEqual(recorded.status.confirmed ? BigInt(recorded.status.block_height ?? 0) : null)
  const sum = (values: readonly (bigint | undefined)[]) =>
    values.reduce<bigint>((total, value = 0n) => total + value, 0n)
  const fee = sum(inputs.map(({ previous }) => previous?.value)) - sum(outputs.map(({ value }) => value))
  expect(fee).toBe(BigInt(recorded.fee))
  const addressOf = (output: { readonly script: Uint8Array } | null) =>
    output === null ? null : addressOfScript(output.script, NETWORKS.mainnet)
  expect(inputs.map(({ previous }) => addressOf(previous))).toEqual(recorded.vin.map(({ prevout }) => named(prevout)))
  expect(outputs.map(addressOf)).toEqual(recorded.vout.map(named))
})

const PAID_TYPES: ReadonlySet<string> = new Set(['p2pkh', 'p2sh', 'v0_p2wpkh', 'v0_p2wsh', 'v1_p2tr'])

/** Address of an output of a type that this service pays; witness programs of other types have no owner yet. */
const named = ({ scriptpubkey_type: type, scriptpubkey_address: address }: RecordedOutput) =>
  PAID_TYPES.has(type) ? (address ?? null) : null
