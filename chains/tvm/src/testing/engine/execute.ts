import { StateView } from '@causeway/core/testing'
import { bytesOf, type Fields } from '../wire/protobuf.js'
import type { SignedTransaction } from '../wire/transactions.js'
import { validate } from './refusal.js'
import { type Charged, chargeBandwidth, energyLimitOf, type Moment, payEnergy } from './resources.js'
import { type AccountEntry, accountIn, addBalance, codeIn, newAccount, putCode, type View } from './state.js'
import type { TronTx, VmReceipt } from './tronTx.js'
import type { TronVm, VmCall } from './vm/tronVm.js'

/** Energy of a call that pays no fees. */
const TRUSTED_ENERGY = 100_000_000
const FREE: Charged = { netUsage: 0, netFee: 0n, otherFees: 0n }
const PERCENT = 100

/** A transaction with how it pays. */
export interface Order extends SignedTransaction {
  /** Needs no signature and pays no fees. */
  readonly isTrusted: boolean
}

export const ownerOf = ({ raw }: SignedTransaction): string => String(raw.call.value.owner_address ?? '')

const amountOf = (value: unknown): bigint => BigInt(String(value ?? 0))

/** Account that a transaction activates; null: none. */
const activatedBy = (view: View, { raw: { call } }: Order): string | null => {
  const { to_address, account_address } = call.value
  const to =
    call.kind === 'TransferContract' ? to_address : call.kind === 'AccountCreateContract' ? account_address : null
  return typeof to === 'string' && accountIn(view, to) === null ? to : null
}

/**
 * Checks a transaction, takes bandwidth, and moves what needs no virtual machine.
 * @throws Refusal if it cannot be in a block
 */
export const begin = (view: View, order: Order, moment: Moment): Charged => {
  const owner = ownerOf(order)
  const account = accountIn(view, owner)
  validate(account !== null, `Validate ${order.raw.call.kind} error, no OwnerAccount.`)
  const activated = activatedBy(view, order)
  const charged = order.isTrusted ? FREE : chargeBandwidth(view, order, account, moment, activated !== null)
  const payer = { ...(accountIn(view, owner) ?? account), operatedAt: moment.time * 1000 }
  if (!order.isTrusted) view.put(payer)
  const activationFee =
    activated === null || order.isTrusted ? 0n : BigInt(moment.parameters.getCreateNewAccountFeeInSystemContract)
  const { kind, value } = order.raw.call
  if (kind === 'TransferContract') moveTrx(view, payer, value, { activationFee, moment })
  if (kind === 'AccountCreateContract') {
    validate(activated !== null, 'Account has existed')
    validate(payer.balance >= activationFee, 'Validate CreateAccountActuator error, insufficient fee.')
    addBalance(view, owner, -activationFee)
    view.put(newAccount(activated, moment.time * 1000))
  }
  if (kind === 'TriggerSmartContract' || kind === 'CreateSmartContract') checkCall(view, order, payer, moment)
  return charged
}

const moveTrx = (
  view: View,
  payer: AccountEntry,
  value: Fields,
  { activationFee, moment }: { readonly activationFee: bigint; readonly moment: Moment },
): void => {
  const [to, amount] = [String(value.to_address ?? ''), amountOf(value.amount)]
  validate(/^41[0-9a-f]{40}$/.test(to), 'Invalid toAddress!')
  validate(to !== payer.address, 'Cannot transfer TRX to yourself.')
  validate(amount > 0n, 'Amount must be greater than 0.')
  const enough = payer.balance >= amount + activationFee
  validate(enough, 'Validate TransferContract error, balance is not sufficient.')
  const isRefused = moment.parameters.getForbidTransferToContract === 1 && accountIn(view, to)?.isContract === true
  validate(!isRefused, 'Cannot transfer TRX to a smartContract.')
  addBalance(view, payer.address, -amount - activationFee)
  if (accountIn(view, to) === null) view.put(newAccount(to, moment.time * 1000))
  addBalance(view, to, amount)
}

const checkCall = (view: View, { raw, isTrusted }: Order, payer: AccountEntry, moment: Moment): void => {
  const { kind, value } = raw.call
  const isLimit = raw.feeLimit >= 0 && raw.feeLimit <= moment.parameters.getMaxFeeLimit
  validate(isTrusted || isLimit, `feeLimit must be >= 0 and <= ${moment.parameters.getMaxFeeLimit}`)
  if (kind === 'TriggerSmartContract') {
    const isContract = codeIn(view, String(value.contract_address ?? '')) !== null
    validate(isContract, 'No contract or not a smart contract')
  }
  validate(payer.balance >= callValueOf(raw.call.value), 'Validate InternalTransfer error, balance is not sufficient.')
  validate(amountOf(value.call_token_value) === 0n, 'TRC-10 tokens are not part of this network')
}

const callValueOf = (value: Fields): bigint => amountOf(value.call_value ?? Object(value.new_contract).call_value)

/** Executes a transaction on a view. Rejects with Refusal if it cannot be in a block. */
export const execute = async (vm: TronVm, view: View, order: Order, moment: Moment): Promise<TronTx> => {
  const charged = begin(view, order, moment)
  const { kind } = order.raw.call
  const isCall = kind === 'TriggerSmartContract' || kind === 'CreateSmartContract'
  const receipt = isCall ? await runContract(vm, view, order, moment) : null
  const { isTrusted: _, ...tx } = order
  const { netUsage, netFee, otherFees } = charged
  const fee = netFee + otherFees + (receipt?.fee ?? 0n)
  return { ...tx, fee, netUsage, netFee, vm: receipt }
}

/** The call of a transaction, as the virtual machine takes it. */
export const vmCallOf = (order: SignedTransaction, moment: Moment, energyLimit: number): VmCall => {
  const { value } = order.raw.call
  const made = Object(value.new_contract)
  const isCreation = order.raw.call.kind === 'CreateSmartContract'
  return {
    ...{ caller: ownerOf(order), to: isCreation ? null : String(value.contract_address ?? '') },
    data: bytesOf(isCreation ? (made.bytecode ?? '') : (value.data ?? '')),
    ...{ value: callValueOf(value), energyLimit, txId: order.id, time: moment.time, height: moment.height },
  }
}

const runContract = async (vm: TronVm, view: View, order: Order, moment: Moment): Promise<VmReceipt> => {
  const owner = ownerOf(order)
  const payer = accountIn(view, owner) ?? newAccount(owner, 0)
  const { value } = order.raw.call
  const factor = 10_000 + moment.energyFactorOf(String(value.contract_address ?? ''))
  const call = vmCallOf(order, moment, 0)
  const limit = order.isTrusted ? TRUSTED_ENERGY : energyLimitOf(payer, call.value, order.raw.feeLimit, moment)
  const inner: View = new StateView(view)
  const outcome = await vm.run(inner, { ...call, energyLimit: Math.floor((limit * 10_000) / factor) })
  const contract = outcome.created ?? String(value.contract_address ?? '')
  if (outcome.result === 'SUCCESS') {
    if (outcome.created !== null) nameContract(inner, order, outcome.created)
    view.take(inner.changes())
  }
  const total = outcome.result === 'OUT_OF_ENERGY' ? limit : Math.floor((outcome.energyUsed * factor) / 10_000)
  const penalty = total - outcome.energyUsed
  const paid = order.isTrusted
    ? { usage: 0, originUsage: 0, fee: 0n }
    : payEnergy(view, owner, total, moment, originOf(view, contract, owner))
  return { outcome, total, penalty: factor > 10_000 ? penalty : 0, contract, ...paid }
}

/** Keeps what the transaction says of the new contract. */
const nameContract = (view: View, { raw, id }: Order, address: string): void => {
  const contract = { ...Object(raw.call.value.new_contract), contract_address: address, trx_hash: id }
  putCode(view, address, codeIn(view, address)?.code ?? new Uint8Array(), contract)
  const account = accountIn(view, address)
  if (account !== null) view.put({ ...account, isContract: true })
}

const originOf = (view: View, contract: string, caller: string) => {
  const facts = codeIn(view, contract)?.contract
  if (facts === undefined || facts === null) return null
  const address = String(facts.origin_address ?? '')
  if (address === caller) return null
  const callerPercent = Math.min(PERCENT, Number(facts.consume_user_resource_percent ?? 0))
  return { address, callerPercent, limit: Number(facts.origin_energy_limit ?? 0) }
}
