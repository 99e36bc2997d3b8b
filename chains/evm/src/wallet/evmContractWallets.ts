import type { ContractWallets, WalletAnswer } from '@causeway/core/chain'
import { agreedAnswer, askInOrder, type JsonRpcClient, type JsonRpcEndpoint, resultOf } from '@causeway/core/chain-kit'
import { probeCall, readProbe } from './signatureProbe.js'
import { unwrapSignature } from './unwrapSignature.js'

/**
 * Asks the contract at an address (EIP-1271), which is deployed first where the signature says how (ERC-6492), in a call that changes
 * nothing. `gasLimit`: maximum gas of each call that a signature leads to.
 */
export const evmContractWallets = (rpc: JsonRpcClient, gasLimit: bigint): ContractWallets => ({
  verify: async (question, { agreeing }) => {
    const unwrapped = unwrapSignature(question.signature)
    if (unwrapped === null) return 'invalid'
    const call = probeCall(question, unwrapped, gasLimit)
    // What a wallet does never makes the call fail: a node that answers with an error could not run it, and another one may.
    const ask = async (endpoint: JsonRpcEndpoint): Promise<WalletAnswer> => {
      const [outcome] = await endpoint.batch([call])
      return readProbe(resultOf(outcome, call.method))
    }
    return agreeing <= 1 ? askInOrder(rpc, ask) : agreedAnswer(rpc, agreeing, ask)
  },
})
