import { ServiceError, smaller } from '@causeway/core'
import type { TrialResult } from '@causeway/core/chain-kit'
import { type Cell, CellType, loadTransaction, type Transaction } from '@ton/core'
import { readPublicKey, readSeqno, walletOfKey } from '../../address/wallets.js'
import { follow, NOT_SENT } from '../../lane/delivery.js'
import { messagesOf, readPayment } from '../../lane/readPayment.js'
import { feeOf } from '../../lane/sentTransaction.js'
import { requestMessage } from '../../lane/signRequest.js'
import { askAccount, askNewest } from '../../read/accounts.js'
import { received, sentMessages } from '../../read/arrival.js'
import type { TonNode } from '../../rpc/tonApi.js'
import { type PaymentForm, relaxedMessage } from '../paymentForm.js'
import { mostGas } from '../payoutFees.js'
import { accountCell, messageCell } from './accountCell.js'
import { Emulator, hasEmulator } from './emulator.js'

/** Time limit of a run, checked before and after each transaction, which blocks the process while it runs. */
const LIMIT_MS = 10_000
/** A transfer of jettons causes five. */
const MOST_TRANSACTIONS = 8
/** Gas limit of a transaction on the public networks. A node that reports more could keep the process busy. */
const MOST_GAS = 1_000_000n
/** Gas of all transactions of a run. A transaction starts only if its gas limit is left. */
const GAS_BUDGET = 2_000_000n
const CONFIG_VALID_MS = 600_000
const LIFETIME = 120
const LT_STEP = 1000n

/** Why a payment could not be run, in plain words. */
class NotRunError extends Error {}

const resultOf = (kind: TrialResult['kind'], message: string): TrialResult => ({ kind, message, data: '' })

/**
 * Runs payments in the transaction executor and virtual machine of TON, on states that one node shows, with all messages that they cause. It
 * charges no rent for the time since the last transaction of an account.
 */
export class PaymentRunner {
  readonly #configs = new WeakMap<TonNode, { readonly config: Promise<string>; readonly until: number }>()

  constructor(
    readonly networkId: number,
    readonly limitMs = LIMIT_MS,
  ) {}

  /** The result of a payment; `sides` with a message where it could not be run. @throws ServiceError if the node does not answer */
  async run(node: TonNode, form: PaymentForm): Promise<TrialResult> {
    try {
      return await this.#run(node, form)
    } catch (error) {
      if (ServiceError.is(error)) throw error
      return resultOf('sides', error instanceof NotRunError ? error.message : 'The virtual machine of TON failed.')
    }
  }

  async #run(node: TonNode, { from, message }: PaymentForm): Promise<TrialResult> {
    if (!hasEmulator()) throw new NotRunError('Contracts were not run, since @ton/sandbox is not installed.')
    const payment = readPayment(relaxedMessage(message), from)
    const { height, time } = await askNewest(node)
    const { status, data } = await askAccount(node, from, height)
    if (message.carried !== undefined) throw new NotRunError('Only the seed gives the code of a deposit address.')
    if (status !== 'active' || data === null) throw new NotRunError('The wallet of the payer has no code yet.')
    if (payment === null) throw new NotRunError('The message is no payment.')
    const wallet = walletOfKey(readPublicKey(data), this.networkId)
    const asked = { seqno: `${readSeqno(data)}`, until: `${time + LIFETIME}`, messages: [relaxedMessage(message)] }
    const request = await requestMessage(wallet, asked, async () => new Uint8Array(64))
    const emulator = await Emulator.open(await this.#configOf(node))
    const deadline = performance.now() + this.limitMs
    const tree = new MessageTree(emulator, { time, deadline, stateOf: (address) => askAccount(node, address, height) })
    try {
      const first = await tree.deliver(from, request.boc.toString('base64'), null)
      if (first === null) return resultOf('insufficient-funds', 'The wallet of the payer cannot pay for its gas.')
      await tree.deliverAll(first)
      return await tree.judge(payment, from)
    } finally {
      emulator.close()
    }
  }

  #configOf(node: TonNode): Promise<string> {
    const kept = this.#configs.get(node)
    if (kept !== undefined && performance.now() < kept.until) return kept.config
    const config = readConfig(node)
    this.#configs.set(node, { config, until: performance.now() + CONFIG_VALID_MS })
    config.catch(() => this.#configs.delete(node))
    return config
  }
}

const readConfig = async (node: TonNode): Promise<string> => {
  const cell = await node
    .ask((api, signal) => api.config(null, signal))
    .catch(() => {
      throw new NotRunError('The node does not show the configuration of the network.')
    })
  if (mostGas(cell) > MOST_GAS) throw new NotRunError('The node reports a gas limit that no public network has.')
  return cell.toBoc().toString('base64')
}

type Payment = NonNullable<ReturnType<typeof readPayment>>

interface TreeDeps {
  readonly time: number
  readonly deadline: number
  stateOf(address: string): ReturnType<typeof askAccount>
}

/** The transactions that a message causes, in the order of arrival. */
class MessageTree {
  readonly #before = new Map<string, string>()
  readonly #states = new Map<string, string>()
  readonly #transactions: Transaction[] = []
  #lt = 0n
  #gas = 0n

  constructor(
    readonly emulator: Emulator,
    readonly deps: TreeDeps,
  ) {}

  async deliverAll(first: Transaction): Promise<void> {
    const waiting = [...sentMessages(first)]
    for (const message of waiting) {
      const to = message.info.dest.toRawString()
      const done = await this.deliver(to, messageCell(message), message.init?.code ?? null)
      if (done === null) throw new NotRunError(`The virtual machine does not deliver a message to ${to}.`)
      waiting.push(...sentMessages(done))
    }
  }

  /** Runs a message. Null: an external message is not accepted. @param init code that the message brings */
  async deliver(address: string, message: string, init: Cell | null): Promise<Transaction | null> {
    const { time } = this.deps
    if (!address.startsWith('0:')) throw new NotRunError('The payment sends a message to another workchain.')
    const before = this.#states.get(address) ?? (await this.#fetch(address))
    if (init !== null && hasLibrary(init)) throw libraryError(address)
    this.#requireTime()
    if (this.#transactions.length >= MOST_TRANSACTIONS) throw new NotRunError('The payment causes too many messages.')
    if (this.#gas + MOST_GAS > GAS_BUDGET) throw new NotRunError('The payment takes too much gas.')
    this.#before.set(address, this.#before.get(address) ?? before)
    const done = this.emulator.transact(before, message, { now: time, lt: this.#lt })
    this.#requireTime()
    if (done === null) return null
    const transaction = loadTransaction(done.transaction.beginParse())
    this.#gas += gasOf(transaction)
    this.#states.set(address, done.account)
    this.#lt = transaction.lt + LT_STEP
    this.#transactions.push(transaction)
    return transaction
  }

  #requireTime(): void {
    if (performance.now() > this.deps.deadline) throw new NotRunError('Running the payment takes too long.')
  }

  async #fetch(address: string): Promise<string> {
    const state = await this.deps.stateOf(address)
    if (state.code !== null && hasLibrary(state.code)) throw libraryError(address)
    const lt = (state.last?.lt ?? 0n) + LT_STEP
    if (lt > this.#lt) this.#lt = lt
    return accountCell(address, state, this.deps.time)
  }

  /** Judges the payment as the lane judges one that landed. */
  async judge(payment: Payment, payer: string): Promise<TrialResult> {
    const [first] = this.#transactions
    if (first === undefined) throw new NotRunError('The payment caused no transaction.')
    const placed = this.#transactions.map((transaction, at) => ({
      transaction,
      block: { height: BigInt(at), hash: '', time: this.deps.time },
    }))
    const arrivals: Parameters<typeof follow>[0] = async ({ info }) =>
      placed.find(({ transaction }) => received(transaction, info.src, info.createdLt)) ?? null
    const [message = null] = messagesOf(first, [payment])
    const block = { height: 0n, hash: '', time: 0 }
    const delivery = await follow(arrivals, { transaction: first, block, message }, payment)
    if (delivery.state === 'pending') throw new NotRunError('A message of the payment was not followed.')
    if (delivery.state === 'failed')
      return resultOf(delivery.why === NOT_SENT ? 'insufficient-funds' : 'unclear', delivery.why)
    const sent = this.#transactions.slice(1).flatMap(sentMessages)
    if (payment.jettons === null && sent.some(({ info }) => info.dest.toRawString() === payer))
      return resultOf('recipient-cannot-receive', 'The account of the recipient sends the payment back.')
    const [amount, arrived] = [payment.amount, this.#gained(payment, delivery.amount)]
    if (arrived < amount)
      return resultOf('revert', `The currency takes a part of a transfer: ${arrived} of ${amount} would arrive.`)
    return { ...resultOf('sides', ''), gas: feeOf(first, { payment, at: 0, count: 1 }, delivery) }
  }

  /** Amount that the recipient has more: a jetton wallet may take a part of the jettons that it was sent. */
  #gained({ path, jettons }: Payment, sent: bigint): bigint {
    const last = this.#transactions.find(({ inMessage }) => inMessage && path.at(-1)?.(inMessage))
    const info = last?.inMessage?.info
    if (jettons === null || info?.type !== 'internal') return sent
    const to = info.dest.toRawString()
    const [before, after] = [this.#before, this.#states].map((states) => {
      const state = states.get(to)
      return state === undefined ? null : this.emulator.jettonBalance(state, this.deps.time)
    })
    return after == null ? sent : smaller(sent, after - (before ?? 0n))
  }
}

const libraryError = (address: string) => new NotRunError(`The code of ${address} is in a library.`)

/** Whether code is, or refers to, a library of the masterchain. */
const hasLibrary = (code: Cell, seen = new Set<Cell>()): boolean => {
  if (seen.has(code)) return false
  seen.add(code)
  return code.isExotic ? code.type === CellType.Library : code.refs.some((each) => hasLibrary(each, seen))
}

const gasOf = ({ description }: Transaction): bigint =>
  description.type === 'generic' && description.computePhase.type === 'vm' ? description.computePhase.gasUsed : 0n
