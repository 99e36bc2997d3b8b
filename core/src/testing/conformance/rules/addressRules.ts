import { isDeepStrictEqual } from 'node:util'
import { PROTOCOL_VM_TYPES } from '../../../chain/vmType.js'
import type { AddressCodec } from '../../../order/encoding/addressCodec.js'
import { vmCodecs } from '../../../order/encoding/vmCodecs.js'
import type { AddressTable, ConformanceHarness } from '../conformanceHarness.js'
import { check, type Rule, there } from '../rule.js'

/** What tells owners of one account apart must be in the order, whose recipient bytes do not hold it (chains.md xrpvm 2). */
const checkExtraData = async ({ adapter, freshAddress }: ConformanceHarness): Promise<void> => {
  const { destinationTag, destinationMemoBytes = 0 } = adapter.capabilities
  const address = await freshAddress()
  const owners = [
    { address },
    ...(destinationTag
      ? [
          { address, tag: 0 },
          { address, tag: 7 },
        ]
      : []),
    ...(destinationMemoBytes === 0 ? [] : [{ address, memo: '7' }]),
  ]
  const texts = owners.map((owner) => adapter.orderExtraData(owner))
  for (const text of texts) check(/^0x([0-9a-f]{2})*$/.test(text), 'orderExtraData is not hex')
  check(new Set(texts).size === texts.length, 'orderExtraData is the same for two owners of one account')
}

const ZERO = '0x0000000000000000000000000000000000000000'

const validTexts = async ({ addresses, freshAddress, user }: ConformanceHarness): Promise<string[]> => [
  ...addresses.valid.map(({ text }) => text),
  await freshAddress(),
  user.address,
]

const refuses = ({ adapter }: ConformanceHarness, text: string): void => {
  const result = adapter.validateAddress(text)
  check(!result.ok, `accepts ${JSON.stringify(text.slice(0, 80))}`)
  check(result.why.trim().length > 0, `refuses ${JSON.stringify(text.slice(0, 80))} without a reason`)
}

const refusesAll = (harness: ConformanceHarness, problem: AddressTable['invalid'][number]['problem']): void => {
  const texts = harness.addresses.invalid.filter((entry) => entry.problem === problem)
  check(texts.length > 0, `the harness has no address with the problem "${problem}" in addresses.invalid`)
  for (const { text } of texts) refuses(harness, text)
}

/** Codec by which addresses of this chain enter order ids. */
const codecOf = ({ adapter }: ConformanceHarness): AddressCodec | undefined =>
  adapter.addressCodec ?? vmCodecs.get(PROTOCOL_VM_TYPES[adapter.vmType] ?? adapter.vmType)

const haveSameBytes = (harness: ConformanceHarness, left: string, right: string): boolean => {
  const codec = codecOf(harness)
  return codec !== undefined && isDeepStrictEqual(codec.encode(left), codec.encode(right))
}

/** Addresses in every spelling, and their bytes. */
export const addressRules: readonly Rule[] = [
  {
    id: 'addresses-valid',
    says: 'every valid spelling has one canonical form, which stays the same; other case is refused or consistent',
    run: async (harness) => {
      const { adapter, addresses } = harness
      for (const { text, canonical } of addresses.valid) {
        const result = adapter.validateAddress(text)
        check(result.ok, `refuses ${text}: ${result.ok ? '' : result.why}`)
        check(result.canonical === canonical, `makes ${result.canonical} of ${text}, not ${canonical}`)
      }
      for (const text of await validTexts(harness)) {
        const first = adapter.validateAddress(text)
        check(first.ok, `refuses ${text}: ${first.ok ? '' : first.why}`)
        for (const variant of [first.canonical, text.toLowerCase(), text.toUpperCase()]) {
          const again = adapter.validateAddress(variant)
          if (variant === first.canonical) check(again.ok && again.canonical === variant, `${variant} is not stable`)
          if (!again.ok) continue
          const same = again.canonical === first.canonical
          check(
            same || !haveSameBytes(harness, first.canonical, again.canonical),
            `calls ${again.canonical} canonical beside ${first.canonical}, which is the same account in order ids`,
          )
          check(
            adapter.sameAddress(text, variant) === same,
            `sameAddress of ${text} and ${variant} contradicts the form`,
          )
        }
      }
    },
  },
  {
    id: 'addresses-invalid',
    says: 'garbage and addresses of other networks are refused, with a reason and without a throw',
    run: async (harness) => {
      const address = await harness.freshAddress()
      const garbage = ['', ' ', '0', 'x'.repeat(10_000), `${address} `, ` ${address}`, `${address}\n`]
      for (const text of garbage) refuses(harness, text)
      refusesAll(harness, 'foreign-network')
      refusesAll(harness, 'malformed')
    },
  },
  {
    id: 'addresses-checksum',
    says: 'an address with a wrong checksum is refused',
    mayDeviate: true,
    run: async (harness) => refusesAll(harness, 'bad-checksum'),
  },
  {
    id: 'addresses-encoding',
    says: 'addresses and currencies have bytes for the order id, equal for equal accounts, and come back canonical',
    run: async (harness) => {
      const { adapter, currencies } = harness
      const codec = there(
        codecOf(harness),
        `core knows no encoding of "${adapter.vmType}": give the adapter an addressCodec`,
      )
      for (const text of [...(await validTexts(harness)), adapter.depository]) {
        const result = adapter.validateAddress(text)
        check(result.ok, `refuses ${text}`)
        const bytes = codec.encode(result.canonical)
        check(bytes.length > 0, `${text} has no bytes`)
        // A text that holds a tag is more than its account, and may be refused.
        if (result.tag === undefined)
          check(isDeepStrictEqual(codec.encode(text), bytes), `${text} and ${result.canonical} have different bytes`)
        const back = codec.decode(bytes)
        check(adapter.sameAddress(back, text), `${text} comes back as ${back}`)
      }
      for (const currency of currencies) {
        const back = adapter.normalizeCurrency(codec.decode(codec.encode(currency)))
        check(back === currency, `currency ${currency} comes back as ${back}`)
      }
    },
  },
  {
    id: 'currencies',
    says: 'the zero address means the native currency (wire.md K.1 10), canonical ids stay, garbage is null',
    run: async ({ adapter, currencies }) => {
      check(currencies[0] === adapter.native.address, 'the first currency of the harness is not the native one')
      check(adapter.normalizeCurrency(ZERO) === adapter.native.address, 'the zero address is not the native currency')
      for (const currency of [adapter.native.address, ...currencies]) {
        check(adapter.normalizeCurrency(currency) === currency, `the canonical id ${currency} is not itself`)
      }
      for (const text of ['', 'not a currency', '0x12', 'x'.repeat(10_000)]) {
        check(adapter.normalizeCurrency(text) === null, `takes "${text.slice(0, 20)}" for a currency`)
      }
    },
  },
  {
    id: 'declarations',
    says: 'capabilities, native currency, limits, depository and explorer paths are declared and fit together',
    run: async (harness) => {
      const { adapter, currencies } = harness
      const { native, capabilities } = adapter
      check(/^[a-z0-9]+$/.test(adapter.vmType), `vmType "${adapter.vmType}" is not lower-case letters and digits`)
      check(Number.isSafeInteger(adapter.chainId) && adapter.chainId > 0, `chainId is ${adapter.chainId}`)
      check(Number.isInteger(native.decimals) && native.decimals >= 0 && native.decimals <= 36, 'native.decimals')
      const { nativeDecimals } = harness
      check(
        native.decimals === nativeDecimals && (adapter.nativeDecimals ?? nativeDecimals) === nativeDecimals,
        `says that the native currency has ${native.decimals} decimal places (nativeDecimals: ${adapter.nativeDecimals}), it has ${nativeDecimals}`,
      )
      check(native.symbol !== '' && native.name !== '', 'the native currency has no name')
      check(adapter.validateAddress(adapter.depository).ok, `the depository ${adapter.depository} is no address`)
      check(adapter.explorerPaths().transaction.includes('{TX_HASH}'), 'the transaction path has no {TX_HASH}')
      check(adapter.explorerPaths().address.includes('{ADDRESS}'), 'the address path has no {ADDRESS}')
      const [placeholder = adapter.depository] = adapter.placeholders ?? []
      check(adapter.validateAddress(placeholder).ok, `the placeholder ${placeholder} is no address`)
      for (const address of [adapter.depository, await harness.freshAddress()]) {
        check(adapter.ownerless?.(address) !== true, `takes ${address} for an address without an owner`)
      }
      check(adapter.maxAmount >= harness.amount, 'maxAmount is below the amount of the harness')
      await checkExtraData(harness)
      check(capabilities.maxOriginTxBytes === null || capabilities.maxOriginTxBytes > 0, 'maxOriginTxBytes')
      check((capabilities.headIntervalSeconds ?? 1) > 0, `headIntervalSeconds is ${capabilities.headIntervalSeconds}`)
      if (capabilities.absoluteFinality === true) {
        check(harness.reorg === undefined, 'declares absoluteFinality, but blocks of the local chain can be replaced')
        check(harness.finalDepth === 0, `declares absoluteFinality, but finalDepth is ${harness.finalDepth}`)
      }
      const tokens = currencies.length > 1
      check(
        capabilities.tokens === tokens,
        tokens ? 'declares no tokens, the harness has one' : 'declares tokens: give the harness one',
      )
    },
  },
]
