import { answerOf, listPages, strangeAnswer } from '@causeway/core/chain-kit'
import { Type } from '@sinclair/typebox'
import { numberOf } from '../address/addresses.js'
import { COUNT, ENTITY } from './fields.js'
import { type Asked, findAt } from './mirrorNode.js'

const readRate = answerOf(
  Type.Object({ current_rate: Type.Object({ cent_equivalent: COUNT, hbar_equivalent: COUNT }) }),
)

/** So many HBAR cost so many cents. */
export interface ExchangeRate {
  readonly hbar: bigint
  readonly cents: bigint
}

/** The rate by which the network charges fees now. @throws ServiceError */
export const askRate = async (asked: Asked): Promise<ExchangeRate> => {
  const rate = (await findAt(asked, '/network/exchangerate', readRate))?.current_rate
  const [hbar, cents] = [BigInt(rate?.hbar_equivalent ?? 0), BigInt(rate?.cent_equivalent ?? 0)]
  if (hbar === 0n || cents === 0n) throw strangeAnswer('an exchange rate of zero')
  return { hbar, cents }
}

const readNodes = answerOf(
  Type.Object({
    nodes: Type.Array(
      Type.Object({
        node_id: COUNT,
        node_account_id: ENTITY,
        service_endpoints: Type.Array(
          Type.Object({
            domain_name: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9.-]{0,253}$' })),
            ip_address_v4: Type.Optional(Type.String({ pattern: '^[0-9.]{0,15}$' })),
            port: Type.String({ pattern: '^-?\\d{1,5}$' }),
          }),
        ),
      }),
    ),
  }),
)

/** Address of a consensus node: `host:port`, and the account that transactions name. */
export interface ConsensusAddress {
  readonly account: string
  readonly address: string
}

const MOST_PAGES = 20
/** The SDK does not check certificates, so TLS gives no more than the plain port. */
const TLS_PORT = '50212'

type NodeJson = ReturnType<typeof readNodes>['nodes'][number]

/** Addresses of the consensus nodes. @throws ServiceError */
export const askConsensusNodes = async (asked: Asked): Promise<readonly ConsensusAddress[]> => {
  const found: ConsensusAddress[] = []
  const pages = listPages<NodeJson>(MOST_PAGES, async (last) => {
    const after = last === undefined ? {} : { 'node.id': `gt:${last.node_id}` }
    return (await findAt(asked, '/network/nodes', readNodes, { order: 'asc', ...after }))?.nodes ?? []
  })
  for await (const nodes of pages) found.push(...nodes.flatMap(addressesOf))
  if (found.length === 0) throw strangeAnswer('no consensus nodes')
  return found
}

/** Plain ports of a node. A node that takes no transactions has account 0. */
const addressesOf = ({ node_account_id: account, service_endpoints }: NodeJson): readonly ConsensusAddress[] =>
  service_endpoints.flatMap(({ domain_name = '', ip_address_v4 = '', port }) => {
    const host = ip_address_v4 === '' ? domain_name : ip_address_v4
    const isUsable = numberOf(account) > 0n && host !== '' && Number(port) > 0 && port !== TLS_PORT
    return isUsable ? [{ account, address: `${host}:${port}` }] : []
  })
