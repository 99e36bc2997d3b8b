import type { Hex } from '@causeway/core'
import type { DecodedRevert, FailureFrame, FailureTree, Payout } from '@causeway/core/chain'
import type { JsonRpcError } from '@causeway/core/chain-kit'
import type { Contracts } from '../../address/addresses.js'
import { revertDataOf } from '../../rpc/rpcErrors.js'
import type { PayoutForm } from '../payoutForm.js'
import { cleanText } from '../revertReason.js'
import { failedPath, isOutOfGas, revertDataOfCall, shortened, survivedFailure, type TracedCall } from './callTrace.js'
import { decodeRevert } from './decodedRevert.js'
import { contractOf, functionOf } from './knownCalls.js'

const MAX_WORD = 32
const NOTHING: TracedCall = { type: 'CALL' }

/** A whole trace, of which the failing calls are kept. */
export const treeOfTrace = (root: TracedCall, contracts: Contracts): FailureTree =>
  treeOfPath(failedPath(root), contracts)

/** Of a trace whose transaction succeeds, and within which an operation fails by `revert`. */
export const treeOfOperation = (root: TracedCall, revert: DecodedRevert, contracts: Contracts): FailureTree => ({
  ...treeOfPath(survivedFailure(root) ?? [root], contracts),
  revert,
})

const treeOfPath = (path: readonly TracedCall[], contracts: Contracts): FailureTree => {
  const [root = NOTHING] = path
  const last = path.at(-1) ?? root
  const said = path.findLast((call) => revertDataOfCall(call).length > 2)
  // What gave up without a word may have made its caller say more.
  const revert =
    isOutOfGas(last) || said === undefined
      ? decodeRevert(revertDataOfCall(last), isOutOfGas(last))
      : decodeRevert(revertDataOfCall(said))
  const frames = shortened(path).map((call) => frameOf(call, contracts))
  const [topLevel = frameOf(root, contracts)] = frames
  return { topLevel, innermost: frames.at(-1) ?? topLevel, path: frames, revert }
}

/** The same from the answer of a call that was not traced: the outermost call, and the user's own where a contract of ours hands on what it said. */
export const treeOfError = (
  error: JsonRpcError,
  { payout, form, contracts }: { readonly payout: Payout; readonly form: PayoutForm; readonly contracts: Contracts },
): FailureTree => {
  const raw = revertDataOf(error) ?? '0x'
  const outOfGas = /out of gas|gas required exceeds|exceeds allowance/i.test(error.message)
  const top: TracedCall = { type: 'CALL', to: form.to, input: form.data, output: raw, error: errorText(outOfGas) }
  const topLevel = frameOf(top, contracts)
  const revert = decodeRevert(raw, outOfGas)
  const call = payout.call ?? (payout.calls.length === 1 ? payout.calls[0] : undefined)
  if (call === undefined || call.to.toLowerCase() === form.to.toLowerCase()) {
    return { topLevel, innermost: topLevel, path: [topLevel], revert }
  }
  const own: TracedCall = { type: 'CALL', to: call.to, input: call.data, error: errorText(outOfGas) }
  const innermost = withReason(frameOf(own, contracts), revert)
  return { topLevel, innermost, path: [topLevel, innermost], revert }
}

const errorText = (outOfGas: boolean): string => (outOfGas ? 'out of gas' : 'execution reverted')

const frameOf = (call: TracedCall, contracts: Contracts): FailureFrame => {
  const address = /^0x[0-9a-fA-F]{40}$/.test(call.to ?? '') ? (call.to ?? '').toLowerCase() : undefined
  const selector = selectorOf(call)
  const contract = address === undefined ? undefined : contractOf(address, contracts)
  const name = selector === undefined ? undefined : functionOf(selector)
  const gas = gasOf(call)
  const frame: FailureFrame = {
    type: cleanText(call.type).slice(0, MAX_WORD),
    ...(address === undefined ? {} : { address }),
    ...(contract === undefined ? {} : { contract }),
    ...(name === undefined ? {} : { function: name }),
    ...(selector === undefined ? {} : { selector }),
    ...(call.error === undefined ? {} : { error: cleanText(call.error) }),
    ...(gas === undefined ? {} : { gasUsed: gas }),
  }
  return withReason(frame, decodeRevert(revertDataOfCall(call), isOutOfGas(call)))
}

const withReason = (frame: FailureFrame, { type, message }: DecodedRevert): FailureFrame =>
  type === 'empty' ? frame : { ...frame, revertReason: message }

const selectorOf = ({ type, input = '0x' }: TracedCall): Hex | undefined => {
  const selector = input.slice(0, 10).toLowerCase()
  // CAST: the pattern.
  return !type.startsWith('CREATE') && /^0x[0-9a-f]{8}$/.test(selector) ? (selector as Hex) : undefined
}

const gasOf = ({ gasUsed = '' }: TracedCall): string | undefined =>
  /^0x[0-9a-fA-F]{1,16}$/.test(gasUsed) ? BigInt(gasUsed).toString() : undefined
