import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@causeway/core'
import { type Chain, ChainRegistry, type Deployment } from '@causeway/core/plugin'
import { mainnet } from 'viem/chains'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CHAIN_PLANS } from '../chainPlans.js'
import { sandboxPaths } from '../state/sandboxPaths.js'
import { type RecordedChain, type SandboxState, withHost, writeInfo, writeState } from '../state/sandboxState.js'
import { RunningSandbox } from './runningSandbox.js'

let home: string
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'causeway-own-'))
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** Of no process: ids of processes end below it. */
const NOBODY = 2 ** 30

const state = (more: Partial<SandboxState> = {}): SandboxState => ({
  supervisorPid: NOBODY,
  hostPid: null,
  port: 1,
  apiKey: '',
  databaseUrl: 'postgres://127.0.0.1/sandbox',
  databasePort: 1,
  // CAST: only ids are looked at.
  chains: CHAIN_PLANS.map(({ id }) => ({ id })) as unknown as RecordedChain[],
  accounts: [],
  sponsor: null,
  ...more,
})

const hostOn = (network: Deployment['network'], chainIds: readonly number[] = [], folder = home): RunningSandbox =>
  new RunningSandbox({
    home: folder,
    deployment: { network, serviceName: 'relay', version: '1.0.0' },
    // CAST: as above.
    chains: new ChainRegistry(chainIds.map((id) => ({ config: { id } }) as unknown as Chain)),
    clock: systemClock,
  })

it('the plugin starts in no host but one of a running sandbox', () => {
  const paths = sandboxPaths(home)
  expect(() => hostOn('testnet', [], join(home, 'nothing')).requireOwn()).toThrow('there is no sandbox in')
  writeState(paths, state())
  expect(() => hostOn('mainnet').requireOwn()).toThrow('the network of this host is not "testnet"')
  expect(() => hostOn('testnet', [71_001, mainnet.id]).requireOwn()).toThrow('chain 1 is none of the sandbox in')
  expect(() => hostOn('testnet', [71_001]).requireOwn()).toThrow('is not running')
})

it('nothing is paid while the sandbox cannot be used, and nobody is killed that would not be started again', () => {
  const paths = sandboxPaths(home)
  writeState(paths, state({ hostPid: process.pid }))
  expect(() => hostOn('testnet').usable()).toThrow(expect.objectContaining({ status: 503 }))
  writeInfo(paths, state())
  expect(hostOn('testnet').usable().port).toBe(1)
  expect(hostOn('testnet').isKept()).toBe(false)
  expect(() => hostOn('testnet', [], join(home, 'nothing')).state()).toThrow(expect.objectContaining({ status: 503 }))
})

it('the demo key is known while the sandbox can be used', () => {
  const folder = join(home, 'keyed')
  mkdirSync(folder)
  const paths = sandboxPaths(folder)
  const known = () => hostOn('testnet', [], folder).demoKey()
  expect(known()).toBeUndefined()
  writeState(paths, state({ apiKey: 'cct_test_demo' }))
  expect(known()).toBeUndefined()
  writeInfo(paths, state())
  expect(known()).toBe('cct_test_demo')
  writeState(paths, state())
  expect(known()).toBeUndefined()
})

it('each host is counted once, however often it is written down', () => {
  const [first, later] = [new Date(1_000), new Date(2_000)]
  const one = withHost(state(), 7, first)
  expect(one).toMatchObject({ hostPid: 7, hostStarts: { count: 1, lastAt: first.toISOString() } })
  expect(withHost(one, 7, later)).toEqual(one)
  expect(withHost(one, 8, later)).toMatchObject({ hostPid: 8, hostStarts: { count: 2, lastAt: later.toISOString() } })
})
