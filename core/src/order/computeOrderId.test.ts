import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { computeOrderId } from './computeOrderId.js'
import { arbitraryOrder, nineChains } from './fixtures/arbitraryOrder.js'
import { orderVector, orderVectors } from './fixtures/orderVectors.js'
import { normalizeOrder, viemOrderId } from './fixtures/viemOrderId.js'
import type { Order } from './order.js'
import { OrderEncodingError } from './orderEncodingError.js'

type Path = readonly (string | number)[]
type Json = unknown

/** Every leaf of a JSON value with its path. */
function leavesOf(value: Json, path: Path = []): { path: Path; leaf: Json }[] {
  if (typeof value !== 'object' || value === null) return [{ path, leaf: value }]
  const keys = Array.isArray(value) ? value.keys() : Object.keys(value)
  return [...keys].flatMap((key) => leavesOf(Reflect.get(value, key), [...path, key]))
}

/** A deep copy with the leaf at `path` replaced. */
function withLeaf<T>(value: T, path: Path, leaf: Json): T {
  const copy = structuredClone(value)
  let at: object = copy as object
  for (const key of path.slice(0, -1)) at = Reflect.get(at, key)
  Reflect.set(at, path.at(-1) ?? '', leaf)
  return copy
}

/** The same JSON with the keys of every object in reverse order. */
function reverseKeys<T>(value: T): T {
  const text = JSON.stringify(value, (_, part: Json) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).reverse())
      : part,
  )
  return JSON.parse(text)
}

describe('order id of the published vectors', () => {
  it.each(orderVectors.vectors)('$name (chains.md "Vectors")', ({ order, chains, normalized, orderId }) => {
    expect(computeOrderId(order, chains)).toBe(orderId)
    expect(normalizeOrder(order, chains)).toEqual(normalized)
    expect(viemOrderId(normalized)).toBe(orderId)
  })
})

it('equals the struct hash of another library on random orders over all nine VMs (chains.md "Hashing")', () => {
  fc.assert(
    fc.property(arbitraryOrder, (order) => {
      expect(computeOrderId(order, nineChains)).toBe(viemOrderId(normalizeOrder(order, nineChains)))
    }),
    { numRuns: 150 },
  )
})

describe('F83: same id for same meaning', () => {
  it.each(orderVectors.vectors)('$name: reordered keys', ({ order, chains, orderId }) => {
    expect(computeOrderId(reverseKeys(order), chains)).toBe(orderId)
  })

  it.each(orderVectors.vectors)('$name: case of EVM addresses and hex, leading zeros', ({ order, chains, orderId }) => {
    const respelt = leavesOf(order).reduce((copy, { path, leaf }) => {
      if (typeof leaf !== 'string') return copy
      if (/^\d{1,20}$/.test(leaf)) return withLeaf(copy, path, `000${leaf}`)
      return leaf.startsWith('0x') ? withLeaf(copy, path, `0x${leaf.slice(2).toUpperCase()}`) : copy
    }, order)
    expect(respelt).not.toEqual(order)
    expect(computeOrderId(respelt, chains)).toBe(orderId)
  })

  it('salt as decimal, and as hex with leading zeros', () => {
    const { order, chains, orderId } = orderVector('evm-native-to-evm-native')
    expect(computeOrderId({ ...order, salt: BigInt(order.salt).toString() }, chains)).toBe(orderId)
    expect(computeOrderId({ ...order, salt: `0x00${order.salt.slice(2)}` }, chains)).toBe(orderId)
  })

  it('other spellings of one TON account', () => {
    const { order, chains, orderId } = orderVector('tvm-to-tonvm')
    const raw = '0:f1a236efc5d408e549fe5d16d07eace4abca3baa23258c7273f3c7edbd81db31'
    expect(computeOrderId(withLeaf(order, ['output', 'payments', 0, 'recipient'], raw), chains)).toBe(orderId)
  })
})

describe('F83: a different id for any real change', () => {
  const changed = (leaf: Json): Json => {
    if (typeof leaf === 'number') return leaf + 1
    if (typeof leaf !== 'string') return leaf
    if (/^\d{1,20}$/.test(leaf)) return String(BigInt(leaf) + 1n)
    if (leaf.startsWith('0x')) return leaf.endsWith('0') ? `${leaf.slice(0, -1)}1` : `${leaf.slice(0, -1)}0`
    return leaf
  }

  it.each(orderVectors.vectors)('$name: every number, hex field and slug', ({ order, chains, orderId }) => {
    const withTwins = { ...chains, ...Object.fromEntries(Object.entries(chains).map(([s, vm]) => [`${s}-twin`, vm])) }
    let count = 0
    for (const { path, leaf } of leavesOf(order)) {
      const value = typeof leaf === 'string' && leaf in chains ? `${leaf}-twin` : leaf === '0x' ? '0x00' : changed(leaf)
      if (value === leaf) continue
      count++
      expect(computeOrderId(withLeaf(order, path, value), withTwins), path.join('.')).not.toBe(orderId)
    }
    expect(count).toBeGreaterThanOrEqual(15)
  })

  it('every leaf replaced by the same leaf of another random order', () => {
    fc.assert(
      fc.property(arbitraryOrder, arbitraryOrder, fc.nat(), (order, other, pick) => {
        const leaves = leavesOf(order)
        const chosen = leaves[pick % leaves.length]
        const donor = leavesOf(other).find(({ path }) => path.join() === chosen?.path.join())
        if (chosen === undefined || donor === undefined) return
        const mutated = withLeaf(order, chosen.path, donor.leaf)
        const id = idOrNull(mutated)
        const sameMeaning =
          id !== null &&
          viemOrderId(normalizeOrder(mutated, nineChains)) === viemOrderId(normalizeOrder(order, nineChains))
        expect(id === computeOrderId(order, nineChains)).toBe(sameMeaning)
      }),
      { numRuns: 60 },
    )
  })

  it('items added, removed or swapped', () => {
    const { order, chains, orderId } = orderVector('evm-native-to-evm-native')
    const [input] = order.inputs
    const [payment] = order.output.payments
    if (input === undefined || payment === undefined) throw new Error('The vector has an input and a payment.')
    const variants: Order[] = [
      { ...order, inputs: [] },
      { ...order, inputs: [input, input] },
      { ...order, inputs: [{ ...input, refunds: [...input.refunds].reverse() }] },
      { ...order, inputs: [{ ...input, refunds: input.refunds.slice(1) }] },
      { ...order, output: { ...order.output, payments: [payment, payment] } },
      { ...order, output: { ...order.output, calls: ['0x'] } },
    ]
    const ids = variants.map((variant) => computeOrderId(variant, chains))
    expect(new Set([orderId, ...ids]).size).toBe(variants.length + 1)
  })

  const idOrNull = (order: Order) => {
    try {
      return computeOrderId(order, nineChains)
    } catch (error) {
      if (error instanceof OrderEncodingError) return null
      throw error
    }
  }
})

describe('malformed orders have no id', () => {
  const { order, chains } = orderVector('evm-erc20-with-call-and-fee')
  const tooLarge = (2n ** 256n).toString()

  it.each<[Path, Json]>([
    [['version'], 'v2'],
    [['solverChainId'], 'nowhere'],
    [['solverChainId'], 'constructor'],
    [['solverChainId'], '__proto__'],
    [['inputs', 0, 'payment', 'chainId'], 'nowhere'],
    [['fees', 0, 'recipientChainId'], 'nowhere'],
    [['fees', 0, 'currencyChainId'], 'nowhere'],
    [['output', 'chainId'], 'nowhere'],
    [['solver'], '0x4ec2153fd5918ce262ca0caaac911796f7c339'],
    [['solver'], '4ec2153fd5918ce262ca0caaac911796f7c3390b'],
    [['salt'], '0x'],
    [['salt'], '-1'],
    [['salt'], `0x1${'0'.repeat(64)}`],
    [['salt'], tooLarge],
    [['inputs', 0, 'payment', 'amount'], tooLarge],
    [['inputs', 0, 'payment', 'amount'], ''],
    [['inputs', 0, 'payment', 'amount'], '1.0'],
    [['inputs', 0, 'payment', 'amount'], '1e3'],
    [['inputs', 0, 'payment', 'amount'], ' 1'],
    [['inputs', 0, 'payment', 'amount'], '0x10'],
    [['inputs', 0, 'payment', 'amount'], 5],
    [['inputs', 0, 'payment', 'amount'], '9'.repeat(100_000)],
    [['inputs', 0, 'refunds', 0, 'deadline'], 2 ** 32],
    [['inputs', 0, 'refunds', 0, 'deadline'], -1],
    [['output', 'deadline'], 1.5],
    [['output', 'deadline'], '1800000000'],
    [['output', 'calls', 0], '0x123'],
    [['output', 'calls', 0], '1234'],
    [['output', 'extraData'], '0xzz'],
    [['output', 'extraData'], '0x€€'],
    [['output', 'payments', 0, 'recipient'], '0xf1a236efc5d408e549fe5d16d07eace4abca3b'],
    [['output', 'payments', 0, 'currency'], 'native'],
  ])('%j = %j', (path, leaf) => {
    expect(() => computeOrderId(withLeaf(order, path, leaf), chains)).toThrow(OrderEncodingError)
  })
})

describe('codecs of other VMs', () => {
  const { order, chains } = orderVector('evm-native-to-evm-native')
  const text = new TextEncoder()
  const custom = { encode: (address: string) => text.encode(address), decode: String }

  it('an unknown VM is refused without its codec and hashed with it', () => {
    const moved = withLeaf(
      withLeaf(order, ['output', 'chainId'], 'mine'),
      ['output', 'payments', 0, 'recipient'],
      'abc',
    )
    const slugs = { ...chains, mine: 'my-vm' }
    expect(() => computeOrderId(moved, slugs)).toThrow('No address encoding')
    expect(computeOrderId(moved, slugs, { 'my-vm': custom })).toMatch(/^0x[0-9a-f]{64}$/)
  })

  it('the nine codecs cannot be replaced', () => {
    expect(computeOrderId(order, chains, { 'ethereum-vm': custom })).toBe(computeOrderId(order, chains))
  })
})
