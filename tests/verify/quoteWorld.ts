import svmChain, { type SvmOptions } from '@causeway/chain-svm'
import { environmentOf, type Hex } from '@causeway/core'
import { type ChainConfig, orderSignerAddress } from '@causeway/core/chain'
import { createTestDatabase } from '@causeway/core/testing'
import type { KnownChain, QuotedRequest, VerifyOptions } from '@causeway/core/verify'
import { pino } from 'pino'
import { callApi, textAt, valueAt } from '../harness/apiCall.js'
import { startHostProcess } from '../harness/host/hostProcess.js'
import { createApiKey } from '../harness/host/operatorCommand.js'
import { NATIVE } from '../harness/localNetwork.js'
import { until } from '../harness/until.js'
import { type CrossNetwork, currencyOf, EVM_ID, SVM_ID, startCrossNetwork } from '../solana/crossNetwork.js'
import { VMS } from './everyVm.js'
import { withLeaf } from './tamper.js'

/** The depository program and its vault on the main network (chains.md, Depository program). */
const PROGRAM = '99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2'
const VAULT = '7uTT8Xi5RWXzy7h9XL244GRgEycDYDhLjr3ZyNdXi8pZ'

/** A quote of a running host, with all that its receiver may know. */
export interface RealQuote {
  readonly quote: unknown
  readonly options: Required<Pick<VerifyOptions, 'chains' | 'request' | 'solver' | 'vms'>>
}

export interface QuoteKind {
  readonly from: 'evm' | 'svm'
  /** Of both sides; see `startCrossNetwork`. */
  readonly symbol: string
  readonly amount: bigint
  /** More fields of the body. */
  readonly more?: Readonly<Record<string, unknown>>
  /** With the deposit of a chain that has the depository program. */
  readonly byProgram?: boolean
}

/** A host over one EVM chain and one Solana chain. */
export interface QuoteWorld {
  quote(kind: QuoteKind): Promise<RealQuote>
  /** Somebody who pays fees on Solana for others. */
  readonly feePayer: string
  close(): Promise<void>
}

export const startQuoteWorld = async (): Promise<QuoteWorld> => {
  const network = await startCrossNetwork()
  const host = await startHost(network.host)
  const solver = orderSignerAddress(network.host.environment.TEST_KEY_ORDER as Hex)
  return {
    feePayer: network.svmUsers[1]?.address ?? '',
    quote: async (kind) => {
      const request = requestOf(network, kind)
      const body = { ...request, includeProtocolData: true }
      const quote = await until('a quote', async () => {
        const answer = await callApi(host.url, '/quote', { body, apiKey: host.apiKey })
        if (answer.status === 503) return null
        if (answer.status !== 200) throw new Error(`Quote refused: ${answer.text}`)
        return answer.body
      })
      const real = { quote, options: { chains: host.chains, request, solver, vms: VMS } }
      return kind.byProgram === true ? byProgram(network, real) : real
    },
    close: async () => {
      await host.close()
      await network.close()
    },
  }
}

const startHost = async (network: CrossNetwork['host']) => {
  const database = await createTestDatabase({ packages: [] })
  const place = { network, databaseUrl: database.url }
  const host = await startHostProcess(place)
  const apiKey = await createApiKey(place)
  const { body } = await callApi(host.url, '/chains')
  return {
    url: host.url,
    apiKey,
    // CAST: what `GET /chains` answers.
    chains: valueAt(body, 'chains') as readonly KnownChain[],
    close: async () => {
      host.signal('SIGTERM')
      await host.ended
      await database.drop()
    },
  }
}

/** The quote as a chain whose deposits go through the depository program would have built it. */
const byProgram = async ({ host }: CrossNetwork, { quote, options }: RealQuote): Promise<RealQuote> => {
  // CAST: the configuration of this chain; what is left out has no part in building.
  const config = host.chains.find(({ id }) => id === SVM_ID) as unknown as ChainConfig
  const adapter = await svmChain.create(
    { ...config.options, depository: VAULT, depositoryProgram: PROGRAM } as SvmOptions,
    { config, clock: { now: Date.now }, logger: pino({ level: 'silent' }), environment: environmentOf({}) },
  )
  const detail = (name: string) => textAt(quote, `protocol.v2.paymentDetails.${name}`)
  const items = await adapter.buildDeposit({
    from: textAt(quote, 'details.sender'),
    money: { currency: detail('currency'), amount: BigInt(detail('amount')) },
    orderId: textAt(quote, 'protocol.v2.orderId') as Hex,
    explicitDeposit: true,
  })
  const built = withLeaf(quote, ['steps', 0, 'items', 0, 'data'], items[0]?.data)
  const chains = options.chains.map((chain) =>
    chain.id === SVM_ID ? withLeaf(chain, ['protocol', 'v2', 'depository'], VAULT) : chain,
  )
  return {
    quote: withLeaf(built, ['protocol', 'v2', 'paymentDetails', 'depository'], VAULT),
    options: { ...options, chains },
  }
}

const requestOf = (network: CrossNetwork, { from, symbol, amount, more }: QuoteKind): QuotedRequest => {
  const isEvm = from === 'evm'
  const [originChainId, destinationChainId] = isEvm ? ([EVM_ID, SVM_ID] as const) : ([SVM_ID, EVM_ID] as const)
  const [evmUser, svmUser] = [network.evmUsers[0]?.address ?? '', network.svmUsers[0]?.address ?? '']
  const origin = currencyOf(network, originChainId, symbol).address
  return {
    user: isEvm ? evmUser : svmUser,
    recipient: isEvm ? svmUser : evmUser,
    refundTo: isEvm ? evmUser : svmUser,
    originChainId,
    destinationChainId,
    // The zero address means the native currency everywhere.
    originCurrency: symbol === 'SOL' && !isEvm ? NATIVE : origin,
    destinationCurrency: currencyOf(network, destinationChainId, symbol).address,
    amount: amount.toString(),
    tradeType: 'EXACT_INPUT',
    ...more,
  }
}
