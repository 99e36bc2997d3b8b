import { providerOf } from '../../chain/endpoint/endpointHealth.js'
import type { RpcEndpoint } from '../../chain/endpoint/rpcEndpoint.js'
import { Endpoint, type EndpointDeps } from './endpoint.js'

/** How the nodes of a chain are spoken to. */
export interface NodeAccess<Client> extends Pick<EndpointDeps<Client>, 'identify'> {
  /** `at`: place in the configuration. Connects to nothing yet. */
  open(endpoint: RpcEndpoint, at: number): Client
  /** Lets go of the connections; the client may be used again. */
  close(client: Client): void
}

/** The configured nodes of a chain (`config.rpc`) as endpoints, in that order. */
export const openEndpoints = <Client>(
  configured: readonly RpcEndpoint[],
  { open, identify, close }: NodeAccess<Client>,
): readonly Endpoint<Client>[] => {
  const names = namesOf(configured)
  return configured.map((endpoint, at) => {
    const client = open(endpoint, at)
    const [name, provider] = [names[at] ?? '', providerOf(endpoint)]
    return new Endpoint({ name, provider, client, identify, close: () => close(client) })
  })
}

/** The provider, numbered where it runs several; without a configured one the place, since a host may hold a key. */
const namesOf = (endpoints: readonly RpcEndpoint[]): readonly string[] =>
  endpoints.map(({ provider }, at) => {
    if (provider === undefined) return `endpoint ${at + 1}`
    const before = endpoints.slice(0, at).filter((other) => other.provider === provider).length
    const several = endpoints.filter((other) => other.provider === provider).length > 1
    return several ? `${provider} ${before + 1}` : provider
  })
