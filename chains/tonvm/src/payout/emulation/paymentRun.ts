import { ServiceError, smaller } from '@causeway/core'
import { keptAnswers, type TrialResult } from '@causeway/core/chain-kit'
import {
  type Account,
  Address,
  type Builder,
  beginCell,
  type Cell,
  CellType,
  loadTransaction,
  type MessageRelaxed,
  type AccountState as State,
  storeMessage,
  storeShardAccount,
  type Transaction,
} from '@ton/core'
import { readPublicKey, readSeqno, walletOfKey } from '../../address/wallets.js'
import { type Arrivals, follow, NOT_SENT } from '../../lane/delivery.js'
import { paymentsIn, type ReadPayment } from '../../lane/readPayment.js'
import { feeOf } from '../../lane/sentTransaction.js'
import { requestMessage } from '../../lane/signRequest.js'
import { askAccount, askNewest } from '../../read/accounts.js'
import { received, sentMessages } from '../../read/arrival.js'
import type { AccountState, TonNode } from '../../rpc/tonApi.js'
import { type PaymentForm, relaxedMessage } from '../paymentForm.js'
import { Emulator, hasEmulator, NotRunError } from './emulator.js'

/** Time limit of a run. */
const LIMIT_MS = 10_000
/** A transfer of jettons causes five. */
const MOST_TRANSACTIONS = 8
const CONFIG_VALID_MS = 600_000
const LIFETIME = 120
const LT_STEP = 1000n

const resultOf = (kind: TrialResult['kind'], message: string): TrialResult => ({ kind, message, data: '' })

/**
 * Runs payments in the transaction executor and virtual machine of TON, on states that one node shows, with all messages that they cause. It
 * charges no rent for the time since the last transaction of an account.
 */
export class PaymentRunner {
  readonly #configs = new WeakMap<TonNode, () => Promise<string>>()

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
    const asked = relaxedMessage(message)
    const { height, time } = await askNewest(node)
    const { status, data } = await askAccount(node, from, height)
    if (message.carried !== undefined) throw new NotRunError('Only the seed gives the code of a deposit address.')
    if (status !== 'active' || data === null) throw new NotRunError('The wallet of the payer has no code yet.')
    const wallet = walletOfKey(readPublicKey(data), this.networkId)
    const terms = { seqno: `${readSeqno(data)}`, until: `${time + LIFETIME}`, messages: [asked] }
    const request = await requestMessage(wallet, terms, async () => new Uint8Array(64))
    const emulator = await Emulator.open(await this.#configOf(node), this.limitMs)
    const tree = new MessageTree(emulator, time, (address) => askAccount(node, address, height))
    const first = await tree.deliver(from, request.boc.toString('base64'), null)
    if (first === null) return resultOf('insufficient-funds', 'The wallet of the payer cannot pay for its gas.')
    await tree.deliverAll(first)
    return tree.judge(asked, from)
  }

  #configOf(node: TonNode): Promise<string> {
    const ask = () =>
      node
        .ask((api, signal) => api.config(signal))
        .catch(() => {
          throw new NotRunError('The node does not show the configuration of the network.')
        })
    const kept = this.#configs.get(node) ?? keptAnswers(CONFIG_VALID_MS, ask)
    this.#configs.set(node, kept)
    return kept()
  }
}

/** The transactions that a message causes, in the order of arrival. */
class MessageTree {
  readonly #before = new Map<string, string>()
  readonly #states = new Map<string, string>()
  readonly #transactions: Transaction[] = []
  #lt = 0n

  constructor(
    readonly emulator: Emulator,
    readonly time: number,
    readonly stateOf: (address: string) => Promise<AccountState>,
  ) {}

  async deliverAll(first: Transaction): Promise<void> {
    const waiting = [...sentMessages(first)]
    for (const message of waiting) {
      const to = message.info.dest.toRawString()
      const done = await this.deliver(
        to,
        base64Of(beginCell().store(storeMessage(message))),
        message.init?.code ?? null,
      )
      if (done === null) throw new NotRunError(`The virtual machine does not deliver a message to ${to}.`)
      waiting.push(...sentMessages(done))
    }
  }

  /** Runs a message. Null: an external message is not accepted. @param init code that the message brings */
  async deliver(address: string, message: string, init: Cell | null): Promise<Transaction | null> {
    if (!address.startsWith('0:')) throw new NotRunError('The payment sends a message to another workchain.')
    const before = this.#states.get(address) ?? (await this.#fetch(address))
    if (init !== null && hasLibrary(init)) throw libraryError(address)
    if (this.#transactions.length >= MOST_TRANSACTIONS) throw new NotRunError('The payment causes too many messages.')
    this.#before.set(address, this.#before.get(address) ?? before)
    const done = await this.emulator.transact(before, message, { now: this.time, lt: this.#lt })
    if (done === null) return null
    const transaction = loadTransaction(done.transaction.beginParse())
    this.#states.set(address, done.account)
    this.#lt = transaction.lt + LT_STEP
    this.#transactions.push(transaction)
    return transaction
  }

  async #fetch(address: string): Promise<string> {
    const state = await this.stateOf(address)
    if (state.code !== null && hasLibrary(state.code)) throw libraryError(address)
    const lt = (state.last?.lt ?? 0n) + LT_STEP
    if (lt > this.#lt) this.#lt = lt
    return accountCell(address, state, this.time)
  }

  /** Judges the payment as the lane judges one that landed. */
  async judge(asked: MessageRelaxed, payer: string): Promise<TrialResult> {
    const [first, ...others] = this.#transactions
    const [requested] = first === undefined ? [] : paymentsIn(first, [asked], payer)
    if (first === undefined || requested === undefined) throw new NotRunError('The message is no payment.')
    const { payment, message } = requested
    const block = { height: 0n, hash: '', time: this.time }
    const arrivals: Arrivals = async ({ info }) => {
      const transaction = others.find((one) => received(one, info.src, info.createdLt))
      return transaction === undefined ? null : { transaction, block }
    }
    const delivery = await follow(arrivals, { transaction: first, block, message }, payment)
    if (delivery.state === 'pending') throw new NotRunError('A message of the payment was not followed.')
    if (delivery.state === 'failed')
      return resultOf(delivery.why === NOT_SENT ? 'insufficient-funds' : 'unclear', delivery.why)
    const isReturned = others.flatMap(sentMessages).some(({ info }) => info.dest.toRawString() === payer)
    if (payment.jettons === null && isReturned)
      return resultOf('recipient-cannot-receive', 'The account of the recipient sends the payment back.')
    const [amount, arrived] = [payment.amount, await this.#gained(payment, delivery.amount)]
    if (arrived < amount)
      return resultOf('revert', `The currency takes a part of a transfer: ${arrived} of ${amount} would arrive.`)
    return { ...resultOf('sides', ''), gas: feeOf(first, requested, delivery) }
  }

  /** Amount that the recipient has more: a jetton wallet may take a part of the jettons that it was sent. */
  async #gained({ path, jettons }: ReadPayment, sent: bigint): Promise<bigint> {
    const last = this.#transactions.find(({ inMessage }) => inMessage && path.at(-1)?.(inMessage))
    const info = last?.inMessage?.info
    if (jettons === null || info?.type !== 'internal') return sent
    const to = info.dest.toRawString()
    const [before, after] = await Promise.all(
      [this.#before, this.#states].map((states) => {
        const state = states.get(to)
        return state === undefined ? null : this.emulator.jettonBalance(state, this.time)
      }),
    )
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

const base64Of = (builder: Builder): string => builder.endCell().toBoc().toString('base64')

/** Base64 of the cell of an account as the executor takes it, without its last transaction. @param now time up to which its rent counts as paid */
const accountCell = (address: string, state: AccountState, now: number): string => {
  const { balance, last, code } = state
  const account: Account = {
    addr: Address.parseRaw(address),
    storageStats: { used: { cells: 0n, bits: 0n }, storageExtra: null, lastPaid: now, duePayment: null },
    storage: { lastTransLt: 0n, balance: { coins: balance }, state: stateOf(state) },
  }
  const isAbsent = last === null && balance === 0n && code === null
  const shard = { account: isAbsent ? null : account, lastTransactionHash: 0n, lastTransactionLt: 0n }
  return base64Of(beginCell().store(storeShardAccount(shard)))
}

const stateOf = ({ status, code, data }: AccountState): State => {
  if (status === 'uninitialized') return { type: 'uninit' }
  // No node shows the hash of a frozen state: no message restores the account here.
  return status === 'frozen' ? { type: 'frozen', stateHash: 0n } : { type: 'active', state: { code, data } }
}
