import { randomBytes } from 'node:crypto'
import { type ChainTesting, type LocalChain, loadChainTesting, wholeUnits } from '@causeway/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** Packages whose `./testing` entry keeps the contract (`ChainTesting`). */
const PACKAGES = ['evm', 'svm', 'bvm', 'xrpvm', 'hederavm', 'tonvm', 'tvm', 'hypevm', 'lvm'].map(
  (vmType) => `@causeway/chain-${vmType}`,
)

const CHAIN_ID = 9_100_001

describe.each(PACKAGES)('%s/testing', (name) => {
  let testing: ChainTesting
  let chain: LocalChain

  beforeAll(async () => {
    testing = await loadChainTesting(name, (specifier) => import(specifier))
    chain = await testing.startLocalChain({ chainId: CHAIN_ID, blockMs: 0 })
  })
  afterAll(() => chain?.close())

  const freshKey = () => testing.keyOf(randomBytes(32))
  const amount = () => wholeUnits(2n, testing.native.decimals)
  const reader = () => testing.readChain(chain)

  it('runs on a free port of this machine alone', async () => {
    const { hostname, port } = new URL(chain.endpoint.http)
    expect(hostname).toBe('127.0.0.1')
    expect(Number(port)).toBeGreaterThan(1023)
  })

  it('is the same chain to whoever takes it on, and another one than any other', async () => {
    const adopted = await testing.adoptLocalChain(chain)
    expect(await adopted.genesisHash()).toBe(await chain.genesisHash())
    const other = await testing.startLocalChain({ chainId: CHAIN_ID, blockMs: 0 })
    expect(await other.genesisHash()).not.toBe(await chain.genesisHash())
    await other.close()
    await expect(testing.adoptLocalChain(other)).rejects.toThrow()
  })

  it('funds an address, which its reader sees to the unit', async () => {
    const { address } = freshKey()
    expect(await reader().balance(address, testing.native.address)).toBe(0n)
    await chain.fund(address, amount())
    expect(await reader().balance(address, testing.native.address)).toBe(amount())
    const fresh = await reader().freshAddress()
    expect(fresh).not.toBe(await reader().freshAddress())
    await chain.fund(fresh, amount(), testing.native.address)
    expect(await reader().balance(fresh, testing.native.address)).toBe(amount())
  })

  it('opens the wallet of a key at the address that the key has', () => {
    const { address, walletKey } = freshKey()
    expect(testing.openWallet(chain, walletKey).address.toLowerCase()).toBe(address.toLowerCase())
    expect(() => testing.openWallet(chain, 'no key')).toThrow()
  })

  it('makes what a deployment needs, and hands it out as planned', async () => {
    const [payout, allocator, user] = [freshKey(), freshKey(), freshKey()]
    const asset = { symbol: 'USDC', name: 'Dollar', decimals: 6, groupId: 'usdc' }
    const tokens = testing.sandbox.hasTokens ? [asset] : []
    const { depository, currencies } = await testing.sandbox.deploy(chain, {
      ...{ tokens, payout, allocator, users: [user.address] },
      ...{ solverHolds: { native: 20n, token: 50n }, userHolds: { native: 3n, token: 7n } },
    })
    expect(currencies.map(({ symbol }) => symbol)).toEqual([
      testing.native.symbol,
      ...tokens.map(({ symbol }) => symbol),
    ])
    const own = testing.sandbox.allocator === 'own'
    expect(depository === allocator.address).toBe(own)
    for (const [at, { address, decimals }] of currencies.entries()) {
      const [solverHas, userHas] = at === 0 ? [20n, 3n] : [50n, 7n]
      expect(await reader().balance(user.address, address)).toBe(wholeUnits(userHas, decimals))
      const held = await reader().balance(payout.address, address)
      // What it signed already cost it a fee.
      expect(held).toBeGreaterThan(wholeUnits(solverHas - 1n, decimals))
      expect(held).toBeLessThanOrEqual(wholeUnits(solverHas, decimals))
    }
    for (const { address, decimals } of currencies) {
      const fresh = await reader().freshAddress(address)
      expect(await reader().balance(fresh, address)).toBe(0n)
      await chain.fund(fresh, wholeUnits(1n, decimals), address)
      expect(await reader().balance(fresh, address)).toBe(wholeUnits(1n, decimals))
    }
  })

  it('takes a block back with what it held, or says that none leaves', async () => {
    const { address } = freshKey()
    if (chain.reorg === null) return
    await chain.advance()
    await chain.fund(address, amount())
    await chain.advance()
    await chain.reorg(2)
    expect(await reader().balance(address, testing.native.address)).toBe(0n)
  })

  it('fails and lags as it is told, or says that its node cannot', async () => {
    const { address } = freshKey()
    const ask = () => reader().balance(address, testing.native.address)
    if (chain.failNext !== null) {
      await chain.failNext({ status: 500 })
      await expect(ask()).rejects.toThrow()
      expect(await ask()).toBe(0n)
    }
    if (chain.lag !== null) {
      const height = await chain.height()
      await chain.lag(3)
      expect(await chain.height()).toBe(height - 3)
      await chain.lag(0)
      expect(await chain.height()).toBe(height)
    }
  })

  it('adds as many blocks as it is asked for', async () => {
    const height = await chain.height()
    await chain.advance(4)
    expect(await chain.height()).toBe(height + 4)
  })
})

it('says in one line what a package without a local chain lacks', async () => {
  const old = loadChainTesting('chain-of-old', async () => ({ startLocalChain: () => null }))
  await expect(old).rejects.toThrow('chain-of-old/testing exports no chainTesting')
})
