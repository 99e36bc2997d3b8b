import { environmentOf, systemClock } from '@causeway/core'
import type { Diagnosis } from '@causeway/core/chain'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshAddress, type LocalLedger, ledgerAdapter, startLocalLedger } from './ledgerChain/src/testing/index.js'

const DEPOSITORY = freshAddress()
const REQUEST = { timeoutMs: 2_000, allocator: DEPOSITORY }

let ledger: LocalLedger

beforeAll(async () => {
  ledger = await startLocalLedger()
})

afterAll(() => ledger.close())

interface Setup {
  readonly network?: string
  readonly depository?: string
  readonly urls?: readonly string[]
}

const diagnose = async (
  { network = 'local', depository = DEPOSITORY, urls = [ledger.endpoint.http] }: Setup,
  request: Partial<typeof REQUEST> | { readonly allocator: null } = {},
): Promise<readonly Diagnosis[]> => {
  const adapter = ledgerAdapter(
    { network, depository },
    {
      config: {
        id: 9_990_002,
        slug: 'ledger',
        rpc: urls.map((http, at) => ({ http, provider: `node${at + 1}` })),
        solver: freshAddress(),
        confirmations: { settle: 2, settleSeconds: 0, success: 1 },
        currencies: [],
        quorum: null,
        // CAST: of a configuration the diagnosis reads these alone.
      } as never,
      clock: systemClock,
      logger: pino({ level: 'silent' }),
      environment: environmentOf({}),
    },
  )
  const found = await adapter.diagnose({ ...REQUEST, ...request })
  await adapter.stop()
  return found
}

const faultsOf = (found: readonly Diagnosis[]) =>
  found.flatMap(({ state, check, message, remedy }) => {
    if (state !== 'fault') return []
    expect(remedy).toBeTruthy()
    return [`${check}: ${message}`]
  })

test('all is well: every check says so, and nothing shows a URL', async () => {
  const found = await diagnose({})
  expect(found.map(({ check, state }) => [check, state])).toEqual([
    ['rpc', 'ok'],
    ['rpc head', 'ok'],
    ['rpc history', 'ok'],
    ['allocator', 'ok'],
  ])
  expect(JSON.stringify(found)).not.toContain(ledger.endpoint.http)
})

test('a node that is away, and one of another ledger, are found by the kit', async () => {
  expect(faultsOf(await diagnose({ urls: ['http://127.0.0.1:9', ledger.endpoint.http] }))).toEqual([
    'rpc: does not answer',
  ])
  expect(faultsOf(await diagnose({ network: 'other' }))).toEqual([
    'rpc chain id: serves another ledger than the configured one',
  ])
})

test('a depository that is no account, or that of another key, is found by the kit; a key that is not at hand is said', async () => {
  const misspelt = `${DEPOSITORY.slice(0, -1)}${DEPOSITORY.endsWith('0') ? '1' : '0'}`
  expect(faultsOf(await diagnose({ depository: misspelt }))).toEqual([
    'allocator: is no address of this chain: The checksum at the end of the address is wrong.',
  ])
  expect(faultsOf(await diagnose({}, { allocator: freshAddress() }))).toEqual([
    'allocator: does not belong to the allocator key of this deployment: deposits could not be withdrawn',
  ])
  const alone = await diagnose({}, { allocator: null })
  expect(alone.at(-1)).toMatchObject({ state: 'unchecked', message: expect.stringContaining('allocator key') })
})
