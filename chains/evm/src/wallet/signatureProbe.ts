import { signatureProbeBytecode } from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import type { WalletAnswer, WalletQuestion } from '@causeway/core/chain'
import { type AnswerReader, type RpcCall, strangeAnswer } from '@causeway/core/chain-kit'
import { concatHex, encodeAbiParameters, parseAbiParameters, size } from 'viem/utils'
import { ZERO_ADDRESS } from '../address/addresses.js'
import { quantity } from '../rpc/wire.js'
import type { UnwrappedSignature } from './unwrapSignature.js'

/**
 * Who asks: an account like any other, whose key nobody has (the end of `keccak256("causeway asks a wallet")`). Some wallets say yes to
 * whatever comes from nobody, the zero address, since estimates of gas come from there.
 */
const ASKING = '0xd0981e56350b75feec70dff1a4d3237a6e6c92c8'

/** Gas of the probe itself, without its data. */
const PROBE_GAS = 200_000n
/** Most gas that a byte of its data takes: as data of a transaction, as code, in memory. */
const BYTE_GAS = 100n
/** Calls with a limit of their own: to the wallet, to the factory, to the wallet once more. */
const [CALLS, CALLS_WRAPPED] = [1n, 3n]

const parameters = parseAbiParameters(
  'address wallet, bytes32 digest, bytes signature, address factory, bytes factoryCall, uint256 gasLimit',
)

/** Runs the constructor of `SignatureProbe` at a node; each of its calls gets `gasLimit` at most. */
export const probeCall = (
  { wallet, digest }: Pick<WalletQuestion, 'wallet' | 'digest'>,
  { signature, factory, factoryCall }: UnwrappedSignature,
  gasLimit: bigint,
): RpcCall => {
  const values = [wallet as Hex, digest, signature, factory, factoryCall, gasLimit] as const
  const data = concatHex([signatureProbeBytecode, encodeAbiParameters(parameters, values)])
  const calls = factory === ZERO_ADDRESS ? CALLS : CALLS_WRAPPED
  // A contract hands on 63 of 64 parts of its gas at most.
  const forCalls = (calls * gasLimit * 64n) / 63n
  const gas = PROBE_GAS + BYTE_GAS * BigInt(size(data)) + forCalls
  return { method: 'eth_call', params: [{ from: ASKING, data, gas: quantity(gas) }, 'latest'] }
}

const ANSWERS: readonly WalletAnswer[] = ['invalid', 'valid', 'absent']

/** What the probe answered. Throws `strangeAnswer` for anything else than its one word, such as of a node that runs no code so. */
export const readProbe: AnswerReader<WalletAnswer> = (result) => {
  const place = typeof result === 'string' && /^0x0{63}[0-2]$/.test(result) ? Number(result.slice(-1)) : -1
  const answer = ANSWERS[place]
  if (answer === undefined) throw strangeAnswer('no verdict on a signature')
  return answer
}
