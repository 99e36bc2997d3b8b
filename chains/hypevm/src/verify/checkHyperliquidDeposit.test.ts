import { type DepositFacts, Findings, type TransactionStep } from '@causeway/core/verify'
import { describe, expect, it } from 'vitest'
import { buildDepositSteps } from '../deposit/buildDeposit.js'
import { checkHyperliquidDeposit } from './checkHyperliquidDeposit.js'

const ORDER = `0x${'5a'.repeat(32)}` as const
const [USER, DEPOSITORY] = [`0x${'11'.repeat(20)}`, `0x${'22'.repeat(20)}`]
const SPOT = '0x6d1e7cde53ba9467b783cb7c530ce054'
const NATIVE = `0x${'0'.repeat(32)}`
const AMOUNT = 1_234_567_800n

const assetOf = (currency: string) => {
  const dex = currency === NATIVE ? '' : currency === SPOT ? 'spot' : 'xyz'
  return { currency, dex, tokenId: SPOT, symbol: 'USDC', name: 'USDC', decimals: 8, places: dex === 'spot' ? 8 : 6 }
}

const built = (currency = NATIVE): readonly TransactionStep[] =>
  buildDepositSteps({
    ...{ from: USER, to: DEPOSITORY, money: { currency, amount: AMOUNT }, asset: assetOf(currency), orderId: ORDER },
    ...{
      nonce: 1_796_000_000_000,
      isTestnet: false,
      chainId: 1337,
      slug: 'hyperliquid',
      domainName: 'RelayNonceMapping',
    },
  }).map(({ stepId, data }) => ({ id: stepId, depositAddress: '', data }))

const check = (steps: readonly TransactionStep[], currency = NATIVE): readonly string[] => {
  const findings = new Findings()
  const facts: DepositFacts = {
    ...{ orderId: ORDER, sender: USER, chainId: 1337, slug: 'hyperliquid', depository: DEPOSITORY },
    ...{ currency, decimals: 8, amount: AMOUNT, paid: { currency, amount: AMOUNT } },
    ...{ isSwapped: false, swapSlippage: 0n, swapRouter: null, feePayer: USER, findings },
  }
  findings.attempt(() => checkHyperliquidDeposit(steps, facts))
  return findings.problems
}

/** The steps with one member changed. */
const changed = (path: string, value: unknown, currency = NATIVE): readonly TransactionStep[] => {
  const steps = structuredClone(built(currency))
  const names = path.split('/')
  const last = names.pop() ?? ''
  const holder = names.reduce<object>((held, name) => Object(Reflect.get(held, name)), steps)
  Reflect.set(holder, last, value)
  return steps
}

describe('a quoted deposit', () => {
  it.each([NATIVE, SPOT, `${SPOT}78797a`])('of %s is what it says, as the adapter builds it', (currency) => {
    expect(check(built(currency), currency)).toEqual([])
  })

  it.each([
    ['0/data/sign/value/id', `0x${'5b'.repeat(32)}`],
    ['0/data/sign/value/wallet', DEPOSITORY],
    ['0/data/sign/value/depositor', DEPOSITORY],
    ['0/data/sign/value/nonce', 1],
    ['0/data/sign/value/chainId', 'other'],
    ['0/data/sign/domain/version', '1'],
    ['0/data/sign/primaryType', 'Other'],
    ['0/data/sign/types/NonceMapping', []],
    ['0/data/post/endpoint', 'https://elsewhere.example'],
    ['0/data/post/body/id', `0x${'5b'.repeat(32)}`],
    ['0/data/post/body/nonce', 1],
    ['0/data/post/body/walletChainId', 1],
    ['1/data/nonce', 1],
    ['1/data/action/type', 'usdSend'],
    ['1/data/action/parameters/destination', USER],
    ['1/data/action/parameters/amount', '12.345679'],
    ['1/data/action/parameters/amount', '12.3456780001'],
    ['1/data/action/parameters/sourceDex', 'spot'],
    ['1/data/action/parameters/destinationDex', 'spot'],
    ['1/data/action/parameters/fromSubAccount', USER],
    ['1/data/action/parameters/nonce', 1],
    ['1/data/action/parameters/token', `HYPE:0x${'0d'.repeat(16)}`],
    ['1/data/eip712PrimaryType', 'HyperliquidTransaction:UsdSend'],
    ['1/data/eip712Types', {}],
    ['1/id', 'send'],
  ])('is refused with another %s', (path, value) => {
    expect(check(changed(path, value))).not.toEqual([])
  })

  it('is refused without its authorization', () => {
    expect(check(built().slice(1))).not.toEqual([])
  })
})
