import { type Hex, ServiceError } from '@causeway/core'
import { Psbt } from 'bitcoinjs-lib'
import { type ParsedAddress, parseAddress } from '../address/addresses.js'
import type { BitcoinNetwork } from '../address/networks.js'
import { bitcoinsOfSatoshis } from '../address/satoshis.js'
import { equalBytes } from '../address/scriptAddress.js'
import type { Coin } from '../payout/coins/coin.js'
import { leastDeposit } from '../payout/coins/dust.js'
import type { FeeRate } from '../payout/coins/feeRate.js'
import { isSelection, type Selection, selectCoins } from '../payout/coins/selectCoins.js'
import { readRawTransaction } from '../rpc/rawTransaction.js'
import { orderScript } from './orderText.js'
import { type InputHints, inputHints } from './userInput.js'

/** Final but for lock times: a deposit that signals replacement could be taken back while it waits (chains.md bvm 3). */
const DEPOSIT_SEQUENCE = 0xffff_fffe

export interface DepositTerms {
  readonly network: BitcoinNetwork
  /** Address of the user, whose coins alone are spent and who gets the change. */
  readonly from: string
  /** The user's key, where the address hides what it is (wire.md 1.2 additionalData.userPublicKey). */
  readonly publicKey: Hex | null
  /** The depository, or a deposit address. */
  readonly to: string
  /** Satoshis. */
  readonly amount: bigint
  /** Null for a plain payment: its address says whose it is. */
  readonly orderId: Hex | null
  readonly rate: FeeRate
}

/** Raw bytes of a transaction in a block or the mempool. */
export type ReadRaw = (txId: string) => Promise<Uint8Array>

/**
 * Chooses the user's coins for a deposit. `coins` may hold others: those of another script, and those that wait for a block
 * themselves, are never taken.
 * @throws ServiceError AMOUNT_TOO_LOW, INSUFFICIENT_FUNDS with figures, INVALID_REQUEST
 */
export const planDeposit = (terms: DepositTerms, coins: readonly Coin[]): Selection<Coin> => {
  const { amount, rate } = terms
  const [user, to] = [requireAddress(terms.from, terms), requireAddress(terms.to, terms)]
  const least = leastDeposit(to.script)
  if (amount < least) {
    const message = `A Bitcoin payment has at least ${least} satoshis; ${amount} would not be worth what it costs to spend it.`
    throw new ServiceError('AMOUNT_TOO_LOW', message)
  }
  const own = coins.filter(({ script, height }) => height !== null && equalBytes(script, user.script))
  const result = selectCoins({ coins: own, outputs: outputsOf(terms, to), change: user.script, rate })
  if (isSelection(result)) return result
  const [available, needed] = [bitcoinsOfSatoshis(result.available), bitcoinsOfSatoshis(result.needed)]
  throw new ServiceError(
    'INSUFFICIENT_FUNDS',
    result.tooMany
      ? `The coins of this address are too many and too small for one transaction of ${bitcoinsOfSatoshis(amount)} BTC.`
      : `The deposit takes ${needed} BTC with its network fee, but only ${available} BTC in blocks can be spent from this address.`,
    // Figures in satoshis, for programs.
    { data: { errorData: { available: `${result.available}`, required: `${result.needed}` } } },
  )
}

/**
 * The transaction that the user's wallet signs, as hex of a PSBT (wire.md A.5 bvm).
 * @throws ServiceError INVALID_REQUEST, and SERVICE_UNAVAILABLE when a coin is not what its transaction says
 */
export const buildDepositPsbt = async (
  terms: DepositTerms,
  plan: Selection<Coin>,
  readRaw: ReadRaw,
): Promise<string> => {
  const { network } = terms
  const [user, to] = [requireAddress(terms.from, terms), requireAddress(terms.to, terms)]
  const hints = inputHints(user, terms.publicKey)
  const { previous: use, ...scripts } = hints
  const previous = await readPrevious(plan.coins, use, readRaw)
  const psbt = new Psbt({ network: network.parameters })
  for (const { txId, index, script, value } of plan.coins) {
    const raw = previous.get(txId)
    if (raw !== undefined) requireOutput({ txId, index, script, value }, raw)
    psbt.addInput({
      hash: txId,
      index,
      sequence: DEPOSIT_SEQUENCE,
      ...(use === 'needed' ? {} : { witnessUtxo: { script, value } }),
      ...(raw === undefined ? {} : { nonWitnessUtxo: raw }),
      ...scripts,
    })
  }
  for (const output of outputsOf(terms, to)) psbt.addOutput(output)
  if (plan.change > 0n) psbt.addOutput({ script: user.script, value: plan.change })
  return psbt.toHex()
}

const outputsOf = ({ amount, orderId }: DepositTerms, { script }: ParsedAddress) => [
  { script, value: amount },
  ...(orderId === null ? [] : [{ script: orderScript(orderId), value: 0n }]),
]

/** Beyond this number of previous transactions none is offered: each costs a request, and hardware wallets take few inputs. */
const MOST_OFFERED = 50

/** Previous transactions by id. Those only offered are left out when a node does not have them. */
const readPrevious = async (
  coins: readonly Coin[],
  use: InputHints['previous'],
  readRaw: ReadRaw,
): Promise<ReadonlyMap<string, Uint8Array>> => {
  const ids = [...new Set(coins.map(({ txId }) => txId))]
  if (use === 'unused' || (use === 'offered' && ids.length > MOST_OFFERED)) return new Map()
  const read = async (id: string): Promise<[string, Uint8Array][]> => {
    try {
      return [[id, await readRaw(id)]]
    } catch (error) {
      if (use === 'offered' && ServiceError.is(error)) return []
      throw error
    }
  }
  return new Map((await Promise.all(ids.map(read))).flat())
}

/** A signature may not commit to the values of all inputs: a false value would become a fee of the user. */
const requireOutput = (
  { txId, index, script, value }: Pick<Coin, 'txId' | 'index' | 'script' | 'value'>,
  raw: Uint8Array,
): void => {
  const output = readRawTransaction(raw, txId).outputs[index]
  if (output !== undefined && output.value === value && equalBytes(output.script, script)) return
  throw new ServiceError('SERVICE_UNAVAILABLE', 'A node tells other values of a coin than its transaction has.')
}

const requireAddress = (text: string, { network }: DepositTerms): ParsedAddress => {
  const parsed = parseAddress(text, network)
  if (!parsed.ok) throw new ServiceError('INVALID_ADDRESS', parsed.why)
  return parsed
}
