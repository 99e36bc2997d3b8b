export type Sdk = typeof import('@hashgraph/sdk')

let loading: Promise<Sdk> | null = null

/** The SDK, which takes seconds to load: only a configured chain loads it. */
export const loadSdk = (): Promise<Sdk> => {
  loading ??= import('@hashgraph/sdk').catch((error: unknown) => {
    loading = null
    throw error
  })
  return loading
}
