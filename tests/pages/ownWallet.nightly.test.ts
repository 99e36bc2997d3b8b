import { randomBytes } from 'node:crypto'
import type { Hex } from '@causeway/core'
import type { Page } from 'playwright-core'
import { createPublicClient, createWalletClient, defineChain, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasChromium, needsChromium, overflow, TestBrowser } from './browser.js'
import { type SandboxWorld, startSandboxWorld } from './sandboxWorld.js'

const HOSTILE = '"><img src=x onerror=alert(1)> a wallet whose name is far longer than anybody reads'
const REFUSED = 4001
const UNKNOWN_CHAIN = 4902
const NOT_KNOWN = 4200

/** Runs in the page before anything of it does. */
const ANNOUNCE = `((name) => {
  const request = async ({ method, params = [] }) => {
    const { answer, code } = await window.walletIsAsked(method, params)
    if (code !== undefined) throw Object.assign(new Error('Not this wallet'), { code })
    return answer
  }
  const info = { uuid: '6f1d0a52-0000-4000-8000-000000000002', name, rdns: 'test.wallet', icon: 'data:image/svg+xml,' }
  const announce = () =>
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider: { request } }) }))
  window.addEventListener('eip6963:requestProvider', announce)
  announce()
})(${JSON.stringify(HOSTILE)})`

interface SentCall {
  readonly to: Hex
  readonly data: Hex
  readonly value: Hex
}

/** A wallet with nothing in it, which has never heard of the sandbox's chain and sends on it once it was told. */
class EmptyWallet {
  readonly account = privateKeyToAccount(`0x${randomBytes(32).toString('hex')}` as Hex)
  declines = false
  readonly #client
  readonly #chain
  #added: unknown

  constructor({ id, rpcUrl }: { readonly id: number; readonly rpcUrl: string }) {
    const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
    this.#chain = defineChain({ id, name: 'sandbox', nativeCurrency, rpcUrls: { default: { http: [rpcUrl] } } })
    this.#client = createPublicClient({ chain: this.#chain, transport: http(rpcUrl) })
  }

  async announce(page: Page): Promise<void> {
    await page.exposeFunction('walletIsAsked', (method: string, params: readonly unknown[]) =>
      this.#asked(method, params),
    )
    await page.addInitScript(ANNOUNCE)
  }

  /** What it was told of the chain. */
  get added(): unknown {
    return this.#added
  }

  async #asked(method: string, params: readonly unknown[]): Promise<{ answer?: unknown; code?: number }> {
    const [first] = params
    if (method === 'eth_requestAccounts') return { answer: [this.account.address] }
    if (method === 'wallet_switchEthereumChain') return this.#added ? { answer: null } : { code: UNKNOWN_CHAIN }
    if (method === 'wallet_addEthereumChain') {
      this.#added = first
      return { answer: null }
    }
    if (method === 'eth_getTransactionReceipt') {
      // CAST: the page's own hash.
      return { answer: await this.#client.request({ method, params: [first as Hex] }) }
    }
    if (method !== 'eth_sendTransaction') return { code: NOT_KNOWN }
    // CAST: the page's own call.
    return this.declines ? { code: REFUSED } : { answer: await this.#send(first as SentCall) }
  }

  #send({ to, data, value }: SentCall): Promise<Hex> {
    const wallet = createWalletClient({ account: this.account, chain: this.#chain, transport: http() })
    return wallet.sendTransaction({ to, data, value: BigInt(value) })
  }
}

it.runIf(needsChromium)('Chromium is there, as CAUSEWAY_REQUIRE_CHROMIUM asks', () => expect(hasChromium).toBe(true))

describe.runIf(hasChromium)('a wallet of the browser in the sandbox', () => {
  let world: SandboxWorld
  let browser: TestBrowser
  beforeAll(async () => {
    ;[world, browser] = await Promise.all([startSandboxWorld(), TestBrowser.start()])
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    await world?.stop()
  }, 60_000)

  it('is told the chain, given money, and pays; what its owner declines is said and not sent', async () => {
    const chain = world.info().chains.find(({ vmType }) => vmType === 'evm')
    if (chain === undefined) throw new Error('The sandbox has no EVM chain')
    const wallet = new EmptyWallet(chain)
    const { page, complaints } = await browser.open(world.url, { width: 'narrow' })
    await wallet.announce(page)
    await page.goto('/try?amount=20')
    await page.getByText('Or with your own wallet').click()
    await page.getByRole('button', { name: 'Give it money' }).click()
    await page.getByText('got money of the sandbox').first().waitFor()

    const send = page.getByRole('button', { name: /^Send with "><img/ })
    await send.click()
    await page.getByText(/^Arrived after/).waitFor()
    expect(wallet.added).toMatchObject({ chainId: `0x${chain.id.toString(16)}`, rpcUrls: [chain.rpcUrl] })

    wallet.declines = true
    await send.click()
    await page.getByText('It was not sent: The wallet’s owner said no.').waitFor()
    expect(await overflow(page)).toBe(0)
    expect(complaints).toEqual([])
  }, 60_000)
})
