import { encodeAddress } from '@causeway/core/chain'
import { decodeAccountID, isValidAddress, Wallet, xAddressToClassicAddress } from 'xrpl'
import type { BenchWorld } from '../benchWorld.js'
import { interleave } from '../rounds.js'
import type { Measurement } from '../table.js'
import { idleAdapter } from './idleAdapter.js'

const ACCOUNTS = 32
const TAG = 7
const LIMIT = 0.5

/** Takes an address as a wallet does: it checks it, and splits an X-address into account and tag. */
const read = (text: string) => {
  if (!isValidAddress(text)) throw new Error('No address')
  return text.startsWith('r') ? { classicAddress: text } : xAddressToClassicAddress(text)
}

/** (u) Classic and X-addresses validated, and accounts encoded, a second, against the library that wallets use. */
export const measureAddresses = async ({ scale, say }: BenchWorld): Promise<Measurement[]> => {
  const wallets = Array.from({ length: ACCOUNTS }, () => Wallet.generate())
  const accounts = wallets.map(({ classicAddress }) => classicAddress)
  const texts = wallets.flatMap((wallet) => [wallet.classicAddress, wallet.getXAddress(TAG, true)])
  const adapter = idleAdapter(accounts[0] ?? '')
  const rounds = Math.ceil(scale.requests / 10)
  const perSecond = (of: readonly string[], work: (text: string) => unknown) => async () => {
    const startedAt = performance.now()
    for (let time = 0; time < rounds; time += 1) for (const text of of) work(text)
    return { perSecond: (rounds * of.length * 1_000) / (performance.now() - startedAt) }
  }
  const contestants = {
    validate: perSecond(texts, (text) => adapter.validateAddress(text)),
    validateFloor: perSecond(texts, read),
    encode: perSecond(accounts, (text) => encodeAddress('xrp-vm', text)),
    encodeFloor: perSecond(accounts, (text) => decodeAccountID(text)),
  }
  for (const warmUp of Object.values(contestants)) await warmUp()
  const results = await interleave(scale.rounds, contestants, (round) => say(`XRP addresses: round ${round + 1}`))
  const measurement = (what: string, name: 'validate' | 'encode', floorIs: string): Measurement => ({
    case: 'u',
    what,
    floorIs,
    unit: '/s',
    value: results[name].perSecond ?? Number.NaN,
    floor: results[`${name}Floor`].perSecond ?? Number.NaN,
    target: { of: 'ratio', limit: LIMIT, better: 'more' },
  })
  return [
    measurement(
      'XRP Ledger addresses validated, classic and X',
      'validate',
      'xrpl isValidAddress, xAddressToClassicAddress',
    ),
    measurement('XRP Ledger addresses encoded for orders', 'encode', 'xrpl decodeAccountID'),
  ]
}
