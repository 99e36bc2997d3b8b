import {
  type Chain,
  type ChainRegistry,
  defineRoute,
  explorerRoot,
  HttpError,
  MessageSchema,
  nullable,
  REQUEST_STATUSES,
  type RequestReader,
  type Route,
  type TrackedRequest,
  type TrackedRequests,
  type TransferAnswers,
  transactionLink,
} from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import type { Names } from './fundsText.js'
import { statusBodyV3 } from './statusBody.js'

export interface TrackedTransfersDeps {
  readonly requests: RequestReader
  readonly chains: ChainRegistry
  readonly currencies: Names
}

const TrackParams = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 256, description: 'Request id, order id or transaction hash' }),
})

const TrackedChain = Type.Object({
  name: nullable(Type.String({ description: 'Null of a chain that is private, or not configured any more' })),
  explorerUrl: nullable(Type.String({ description: 'Where people look its transactions up' })),
})

const Link = Type.Object({ chainId: Type.Integer(), txHash: Type.String(), explorerUrl: nullable(Type.String()) })
const Links = Type.Array(Link)

const TrackAnswer = Type.Object(
  {
    requestId: Type.String(),
    status: Type.Union(REQUEST_STATUSES.map((status) => Type.Literal(status))),
    originChainId: Type.Integer(),
    destinationChainId: Type.Integer(),
    inTxHashes: Type.Array(Type.String()),
    txHashes: Type.Array(Type.String()),
    updatedAt: Type.Integer({ description: 'Unix milliseconds' }),
    quoteCreatedAt: Type.Integer({ description: 'Unix milliseconds' }),
    failReason: Type.String({ description: 'N/A unless the request failed or was refunded' }),
    firstFailReason: nullable(
      Type.String({ description: 'Why it was not paid, where failReason says that an operator sent the money back' }),
    ),
    refundFailReason: Type.String({ description: 'N/A unless a refund could not be made' }),
    details: nullable(Type.String()),
    chains: Type.Object({ origin: TrackedChain, destination: TrackedChain }),
    links: Type.Object(
      { payment: nullable(Link), in: Links, out: Links },
      {
        description:
          'The same transactions, each with where people look it up; before them the own payment to an address, which `in` brought in',
      },
    ),
  },
  { title: 'TrackedTransfer' },
)

const ID = /^0x[0-9a-f]{64}$/i

/** Whether a text is an address of a chain here: what is asked for then is a history, which is its owner's. */
const isAddress = (chains: ChainRegistry, text: string): boolean =>
  !ID.test(text) && chains.all().some(({ adapter }) => adapter.validateAddress(text).ok)

/** Nothing is told of a private chain to whoever only follows a link (wire.md K.3 8). */
const shownChain = (chain: Chain | undefined) => ({
  name: chain === undefined || chain.config.privateId !== undefined ? null : chain.config.name,
  explorerUrl: chain?.config.privateId === undefined ? explorerRoot(chain) : null,
})

const linked = (chains: ChainRegistry, chainId: number, txHash: string) => {
  const chain = chains.find(chainId)
  const open = chain?.config.privateId === undefined ? chain : undefined
  return { chainId, txHash, explorerUrl: transactionLink(open, txHash) }
}

/** Where transfers stand, for whoever has a link to one; what a status tells a stranger (wire.md 2.1). */
export class TrackedTransfers implements TransferAnswers {
  readonly #deps: TrackedTransfersDeps

  constructor(deps: TrackedTransfersDeps) {
    this.#deps = deps
  }

  async tell({ requestId, firstFailReason }: Pick<TrackedRequest, 'requestId' | 'firstFailReason'>) {
    const { requests, chains, currencies } = this.#deps
    const view = await requests.findStatus(requestId)
    if (view === null) return null
    const { originChainId, destinationChainId, ...body } = statusBodyV3(view, currencies)
    // What was refunded came back where it was given.
    const outChainId = view.status === 'refund' ? originChainId : destinationChainId
    return {
      requestId: view.requestId,
      ...body,
      firstFailReason,
      originChainId,
      destinationChainId,
      chains: {
        origin: shownChain(chains.find(originChainId)),
        destination: shownChain(chains.find(destinationChainId)),
      },
      links: {
        payment: view.transferTx === null ? null : linked(chains, originChainId, view.transferTx),
        in: body.inTxHashes.map((txHash) => linked(chains, originChainId, txHash)),
        out: body.txHashes.map((txHash) => linked(chains, outChainId, txHash)),
      },
    }
  }
}

export interface TrackRouteDeps {
  readonly transfers: TrackedTransfers
  readonly tracked: TrackedRequests
  readonly chains: ChainRegistry
}

/** `GET /track/api/{id}`: where a transfer stands, by any id of it. */
export const trackRoute = ({ transfers, tracked, chains }: TrackRouteDeps): Route =>
  defineRoute({
    method: 'GET',
    path: '/track/api/:id',
    summary: 'Where a transfer stands, by any id of it',
    description:
      'By request id, order id or the hash of any of its transactions. Needs no key. An address is 401: sign in for its history.',
    tags: ['intents'],
    bucket: 'status',
    auth: 'none',
    params: TrackParams,
    responses: { 200: TrackAnswer, 400: MessageSchema, 401: MessageSchema, 404: MessageSchema },
    handler: async ({ params }) => {
      const id = params.id.trim()
      const found = await tracked.find(id)
      const answer = found === null ? null : await transfers.tell(found)
      if (answer === null && isAddress(chains, id)) {
        throw new HttpError(401, 'This is an address. Sign in to see the transfers of an address')
      }
      if (answer === null) throw new HttpError(404, 'No transfer has this id')
      return answer
    },
  })
