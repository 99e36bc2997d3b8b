import { ServiceError } from '@causeway/core'
import type { BitcoinNetwork } from '../address/networks.js'
import { equalBytes } from '../address/scriptAddress.js'
import { readOrderId } from '../deposit/orderText.js'
import { type InputSigner, keyScript, type PayoutTransaction } from '../payout/payoutTransaction.js'
import { accountOfSeed, depositAddressSigner } from './depositAddress.js'

/**
 * Keys of the deposit addresses that a sweep spends from; none for what is no sweep.
 * @throws ServiceError SERVICE_UNAVAILABLE without the seed, or where it is not the one of the addresses
 */
export const sweepSigners = (
  { sweeps = [] }: PayoutTransaction,
  seed: Uint8Array | undefined,
  network: BitcoinNetwork,
): readonly InputSigner[] => {
  if (sweeps.length === 0) return []
  if (seed === undefined) throw refused('A deposit address is swept with the seed of its key (keys.hd) only.')
  const account = accountOfSeed(seed, network)
  return sweeps.map(({ salt, script }) => {
    const signer = depositAddressSigner(account, salt)
    if (equalBytes(keyScript(signer.publicKey), script)) return signer
    throw refused('The seed (keys.hd) is not the one that the deposit address was made of.')
  })
}

/**
 * What every sweep keeps before anything is signed: of each address all inputs go whole into the depository, under its own order id, and
 * nobody else but the lane gets anything.
 * @throws ServiceError SERVICE_UNAVAILABLE
 */
export const requireSweep = (
  { inputs, outputs, sweeps = [] }: PayoutTransaction,
  { depository, lane }: { readonly depository: Uint8Array; readonly lane: Uint8Array },
): void => {
  if (sweeps.length === 0) return
  const whole = sweeps.every(({ orderId, script }, at) => {
    const [paid, text] = [outputs[2 * at], outputs[2 * at + 1]]
    const held = inputs.filter((input) => equalBytes(input.script, script)).reduce((sum, { value }) => sum + value, 0n)
    const isPaid = paid !== undefined && equalBytes(paid.script, depository) && paid.value === held
    return isPaid && text !== undefined && text.value === 0n && readOrderId(text.script) === orderId.toLowerCase()
  })
  const rest = outputs.slice(2 * sweeps.length)
  if (whole && rest.every(({ script }) => equalBytes(script, lane))) return
  throw refused('A sweep would pay somebody else than the depository.')
}

const refused = (message: string): ServiceError => new ServiceError('SERVICE_UNAVAILABLE', message)
