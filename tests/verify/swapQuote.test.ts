import { evm } from '@causeway/chain-evm/verify'
import { swapRouterAbi } from '@causeway/contracts-abi'
import { type KnownChain, type QuotedRequest, type VerifyOptions, verifyQuote } from '@causeway/core/verify'
import { type ContractFunctionArgs, decodeFunctionData, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callApi, listAt, textAt, valueAt } from '../harness/apiCall.js'
import { ether, NATIVE, type NetworkChain } from '../harness/localNetwork.js'
import { type HttpWorld, nativeBody, postQuote, startHttpWorld } from '../http/httpWorld.js'
import { withLeaf } from './tamper.js'

const STRANGER: Hex = `0x${'66'.repeat(20)}`

interface RealQuote {
  readonly quote: unknown
  readonly options: VerifyOptions & { readonly request: QuotedRequest }
}

let world: HttpWorld
let chains: readonly KnownChain[]
/** From a token that no list has, through a pool, to USDC on the other chain. */
let real: RealQuote

beforeAll(async () => {
  world = await startHttpWorld({ swaps: true })
  // CAST: what `GET /chains` answers.
  chains = valueAt((await callApi(world.host.url, '/chains')).body, 'chains') as readonly KnownChain[]
  real = await quoted({ originCurrency: unlistedOf(0), destinationCurrency: usdcOf(1), amount: ether('50').toString() })
})
afterAll(() => world?.close())

const chainAt = (at: 0 | 1): NetworkChain => world.network.chains[at]
const usdcOf = (at: 0 | 1): string => chainAt(at).usdc
const unlistedOf = (at: 0 | 1): string => chainAt(at).unlisted ?? ''
const routers = (): Record<string, string> =>
  Object.fromEntries(world.network.chains.map(({ slug, swap }) => [slug, swap?.router ?? '']))

const quoted = async (more: Readonly<Record<string, unknown>>): Promise<RealQuote> => {
  const body = { ...nativeBody(world, more), includeProtocolData: true }
  const { status, body: quote, text } = await postQuote(world, body, '/quote', world.host.apiKey)
  if (status !== 200) throw new Error(text)
  // CAST: the fields of a quote body, with the right types.
  return { quote, options: { chains, request: body as unknown as QuotedRequest, swapRouters: routers(), vms: [evm] } }
}

describe('quotes over real pools', () => {
  const verdictOf = async (more: Readonly<Record<string, unknown>>) => {
    const { quote, options } = await quoted(more)
    return verifyQuote(quote, options)
  }

  it('a swap before the deposit, the router known: nothing stays open but solver key and fees', () => {
    const verdict = verifyQuote(real.quote, real.options)
    expect(verdict).toMatchObject({ ok: true, covered: true })
    expect(listAt(real.quote, 'steps').map((step) => valueAt(step, 'id'))).toEqual(['approve', 'deposit'])
    expect(verdict.ok && verdict.notCovered.join()).toMatch(/solver's order key[^,]*,gas and fees[^,]*$/)
  })

  it.each([
    [
      'after the deposit',
      () => ({ originCurrency: usdcOf(0), destinationCurrency: unlistedOf(1), amount: '200000000' }),
    ],
    [
      'on both sides, for an exact output',
      () => ({
        originCurrency: unlistedOf(0),
        destinationCurrency: unlistedOf(1),
        amount: ether('10').toString(),
        tradeType: 'EXACT_OUTPUT',
      }),
    ],
    [
      'on one chain through the solver',
      () => ({
        originCurrency: usdcOf(0),
        destinationChainId: chainAt(0).chain.chainId,
        destinationCurrency: unlistedOf(0),
        amount: '50000000',
        forceSolverExecution: true,
      }),
    ],
  ])('a swap %s', async (_where, more) => {
    expect(await verdictOf(more())).toMatchObject({ ok: true, covered: true })
  })

  it.each([
    ['input', () => ({})],
    ['output', () => ({ tradeType: 'EXACT_OUTPUT', amount: ether('0.01').toString() })],
  ])('calls for an exact %s: bound by the order, and to be compared with those asked for', async (_kind, more) => {
    const txs = [{ to: STRANGER, value: ether('0.001').toString(), data: '0x' }]
    const verdict = await verdictOf({ txs, ...more() })
    expect(verdict).toMatchObject({ ok: true, covered: true })
    expect(verdict.ok && verdict.notCovered.join()).toContain('orderData.output.calls')
  })

  it('what calls leave of the output is what their order says they do', async () => {
    const { quote, options } = await quoted({ txs: [{ to: STRANGER, value: ether('0.001').toString(), data: '0x' }] })
    const whole = textAt(quote, 'protocol.v2.orderData.output.payments.0.expectedAmount')
    expect(verifyQuote(withLeaf(quote, ['details', 'currencyOut', 'amount'], whole), options)).toMatchObject({
      ok: false,
      problems: [expect.stringContaining('details.currencyOut.amount is')],
    })
  })

  it('a gas top-up: shown, and not promised by the order', () => {
    const topup = valueAt(real.quote, 'details.currencyIn')
    const verdict = verifyQuote(withLeaf(real.quote, ['details', 'currencyGasTopup'], topup), real.options)
    expect(verdict.ok && verdict.notCovered.join()).toContain('top-up')
  })

  it.each([
    ['swap', () => ({ destinationCurrency: usdcOf(0), amount: ether('0.2').toString() })],
    ['send', () => ({ recipient: STRANGER, amount: '1000' })],
  ])('a %s that the user makes alone has no order: not covered', async (_kind, more) => {
    const verdict = await verdictOf({ destinationChainId: chainAt(0).chain.chainId, ...more() })
    expect(verdict).toMatchObject({ ok: true, covered: false, orderId: null, solver: null })
  })
})

const hexAt = (path: string): Hex => `0x${textAt(real.quote, path).slice(2)}`
const deposited = () => BigInt(textAt(real.quote, 'protocol.v2.paymentDetails.amount'))

type Arguments = ContractFunctionArgs<typeof swapRouterAbi, 'payable', 'swapAndDeposit'>
type Changes = Partial<Arguments[0]> & { readonly depository?: Hex; readonly depositor?: Hex; readonly id?: Hex }

/** The real quote with another swap in its deposit. */
const withCall = ({ depository, depositor, id, ...swap }: Changes): unknown => {
  const path = ['steps', 1, 'items', 0, 'data', 'data']
  const { functionName, args } = decodeFunctionData({ abi: swapRouterAbi, data: hexAt(path.join('.')) })
  if (functionName !== 'swapAndDeposit') throw new Error(functionName)
  const changed = [{ ...args[0], ...swap }, depository ?? args[1], depositor ?? args[2], id ?? args[3]] as const
  return withLeaf(real.quote, path, encodeFunctionData({ abi: swapRouterAbi, functionName, args: changed }))
}

/** The real quote with another field of the transaction of a step. */
const withField = (step: 0 | 1, name: string, value: string): unknown =>
  withLeaf(real.quote, ['steps', step, 'items', 0, 'data', name], value)

const approval = (spender: string, amount: bigint): Hex =>
  encodeFunctionData({ abi: parseAbi(['function approve(address, uint256)']), args: [`0x${spender.slice(2)}`, amount] })

describe('a deposit through the swap router contract', () => {
  it('says that the router is taken on trust where it is not known', () => {
    const { swapRouters: _, ...options } = real.options
    const verdict = verifyQuote(real.quote, options)
    expect(verdict.ok && verdict.notCovered.join()).toContain('is the swap router of harbor')
    expect(verifyQuote(real.quote, { ...options, swapRouters: { harbor: STRANGER } }).ok).toBe(false)
  })

  it('is verified when it is written anew, whatever its exchange does', () => {
    expect(verifyQuote(withCall({}), real.options).ok).toBe(true)
    expect(verifyQuote(withCall({ calls: [] }), real.options).ok).toBe(true)
  })

  const paid = () => BigInt(textAt(real.quote, 'details.currencyIn.amount'))
  const router = () => textAt(real.quote, 'steps.1.items.0.data.to')
  it.each([
    ['another order', () => withCall({ id: `0x${'11'.repeat(32)}` })],
    ['another depository', () => withCall({ depository: STRANGER })],
    ['another depositor', () => withCall({ depositor: STRANGER })],
    ['another input currency', () => withCall({ tokenIn: STRANGER })],
    ['more input', () => withCall({ amountIn: paid() + 1n })],
    ['another output currency', () => withCall({ tokenOut: STRANGER })],
    ['leftovers for a stranger', () => withCall({ leftoverTo: STRANGER })],
    ['another contract', () => withField(1, 'to', STRANGER)],
    ['money along', () => withField(1, 'value', '1')],
    ['another function', () => withField(1, 'data', `0x12345678${'0'.repeat(64)}`)],
    ['no arguments', () => withField(1, 'data', '0x')],
    ['an allowance for a stranger', () => withField(0, 'data', approval(STRANGER, paid()))],
    ['an allowance of everything', () => withField(0, 'data', approval(router(), 2n ** 256n - 1n))],
    ['an allowance of another token', () => withField(0, 'to', STRANGER)],
    ['money with the allowance', () => withField(0, 'value', '1')],
    [
      'native currency as what is paid',
      () => withLeaf(real.quote, ['details', 'currencyIn', 'currency', 'address'], NATIVE),
    ],
  ])('is refused with %s', (_name, make) => {
    expect(verifyQuote(make(), real.options).ok).toBe(false)
  })

  it('is refused when the swap may give less than shown, or must give more', () => {
    const least = deposited() - BigInt(textAt(real.quote, 'details.slippageTolerance.origin.value'))
    const given = [least - 1n, least, deposited(), deposited() + 1n, 0n]
    const verdicts = given.map((minimumOut) => verifyQuote(withCall({ minimumOut }), real.options).ok)
    expect(verdicts).toEqual([false, true, true, false, false])
  })
})
