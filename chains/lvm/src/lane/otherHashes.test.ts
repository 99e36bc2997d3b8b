import { environmentOf } from '@causeway/core'
import type { SignedAttempt } from '@causeway/core/chain'
import { expect, it } from 'vitest'
import { resolveOptions } from '../options.js'
import { readApiKeys } from './apiKeys.js'
import { type LighterPaymentsDeps, lighterPayments } from './lane.js'
import { LighterSigner } from './lighterSigner.js'

const OWN = 'ab'.repeat(40)
const settings = resolveOptions({ depository: '7', accounts: [{ account: '8', owner: `0x${'1'.repeat(40)}` }] }, 9)

/** Payments over one node that takes every transaction and names it by this hash. */
const paymentsOver = (tx_hash: string) => {
  const rest = {
    postForm: async () => ({ status: 200, text: JSON.stringify({ code: 200, tx_hash }) }),
    getAnswer: async () => ({ status: 404, text: '{"code":404}' }),
  }
  const node = { ask: (use: (client: typeof rest, signal: AbortSignal) => unknown) => use(rest, AbortSignal.abort()) }
  // CAST: the parts that sending and reading ask.
  const deps = {
    ...{ settings, keys: readApiKeys(settings, environmentOf({})), signer: new LighterSigner() },
    ...{ pool: { ordered: () => [node] }, fees: { refused: () => undefined }, tokens: {} },
  } as unknown as LighterPaymentsDeps
  return { chain: lighterPayments(deps).chain, node }
}

// CAST: the members that sending reads.
const attempt = { txId: OWN, raw: '0x7b7d', guards: ['sequence:8:1:2'], transaction: {} } as unknown as SignedAttempt

it.each([
  ['its own hash', OWN, 'RPC_HTTP_ERROR', /could not be reached/],
  ['another hash than the signer', 'cd'.repeat(40), 'SERVICE_UNAVAILABLE', /other hashes/],
])('a payment that the exchange names by %s is taken; only the former is judged', async (_, hash, code, message) => {
  const { chain, node } = paymentsOver(hash)
  expect(await chain.broadcast([attempt])).toMatchObject([{ outcome: 'known' }])
  // CAST: the one member of a node that is asked.
  const asked = node as unknown as Parameters<typeof chain.read>[0]
  await expect(chain.read(asked, { account: '8', attempts: [] })).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message),
  })
})
