import type { Json } from '../../chain/json.js'
import { type Alteration, laneWith } from './alteredAdapter.js'

/** Stands for the host, which stores what a lane tells of where its transactions are, and says it with every later question. */
export const keepLocators = (): Alteration => {
  const kept = new Map<string, Json>()
  const keep = (id: string, locator: Json | undefined): void => {
    if (locator !== undefined && locator !== null) kept.set(id, locator)
  }
  const memberOf = (id: string): { readonly locator?: Json } => {
    const locator = kept.get(id)
    return locator === undefined ? {} : { locator }
  }
  return laneWith((lane) => ({
    read: async (address, stored) => {
      const reading = await lane.read(address, stored)
      for (const { tx } of reading.unknown) keep(tx.id, tx.locator)
      return reading
    },
    sign: async (prepared, signer, allocator, seed) => {
      const signed = await lane.sign(prepared, signer, allocator, seed)
      keep(signed.txId, signed.locator)
      return signed
    },
    states: async (attempts) => {
      const states = await lane.states(attempts.map((attempt) => ({ ...attempt, ...memberOf(attempt.txId) })))
      for (const [at, { locator }] of states.entries()) keep(attempts[at]?.txId ?? '', locator)
      return states
    },
    payoutVerdict: (guards, txIds, options) => {
      const known = txIds.flatMap((id) => (kept.has(id) ? [[id, kept.get(id) ?? null] as const] : []))
      if (known.length === 0) return lane.payoutVerdict(guards, txIds, options)
      return lane.payoutVerdict(guards, txIds, { agreeing: 1, ...options, locators: Object.fromEntries(known) })
    },
  }))
}
