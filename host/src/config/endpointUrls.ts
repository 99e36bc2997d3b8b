import type { EnvironmentVariables } from '@causeway/core'
import { UsageError } from '../cli/plainError.js'
import type { ConfigProblem } from './configProblem.js'
import type { HostConfig } from './schema/schema.js'

const PREFIX = 'env:'

/** The chains with the URLs that environment variables hold; a URL often holds a secret of its own. */
export const withEndpointUrls = (
  chains: HostConfig['chains'],
  environment: EnvironmentVariables,
): { readonly chains: HostConfig['chains']; readonly problems: readonly ConfigProblem[] } => {
  const problems: ConfigProblem[] = []
  const read = (written: string, path: string, form: RegExp): string => {
    if (!written.startsWith(PREFIX)) return written
    const name = written.slice(PREFIX.length)
    const url = environment[name]?.trim()
    const message = !url
      ? `names the environment variable ${name}, which is not set.`
      : form.test(url)
        ? null
        : `names the environment variable ${name}, which holds no such URL.`
    if (message !== null) problems.push({ path, message, remedy: `Set ${name} to the URL of the endpoint.` })
    return url ?? written
  }
  const resolved = chains.map((chain, at) => ({
    ...chain,
    rpc: chain.rpc.map((endpoint, index) => {
      const path = `chains[${at}].rpc[${index}]`
      const { ws } = endpoint
      return {
        ...endpoint,
        http: read(endpoint.http, `${path}.http`, /^https?:\/\//),
        ...(ws === undefined ? {} : { ws: read(ws, `${path}.ws`, /^wss?:\/\//) }),
      }
    }),
  }))
  return { chains: resolved, problems }
}

/** For commands that ask a chain and read no key. @throws UsageError where a variable with an endpoint is not set */
export const requireEndpoints = ({ slug, rpc }: HostConfig['chains'][number]): void => {
  const unset = rpc.find(({ http }) => http.startsWith(PREFIX))
  if (unset === undefined) return
  throw new UsageError(`Set ${unset.http.slice(PREFIX.length)} to the URL of an endpoint of ${slug}.`)
}
