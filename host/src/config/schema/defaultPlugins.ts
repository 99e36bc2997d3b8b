/** The plugins that come with Causeway, which every deployment runs unless it says otherwise. */
export const DEFAULT_PLUGINS = [
  '@causeway/plugin-api-keys',
  '@causeway/plugin-rate-limits',
  '@causeway/plugin-chains',
  '@causeway/plugin-currencies',
  '@causeway/plugin-prices',
  '@causeway/plugin-quote',
  '@causeway/plugin-gas-topup',
  '@causeway/plugin-solver',
  '@causeway/plugin-intents',
  '@causeway/plugin-transactions',
  '@causeway/plugin-requests-v2',
  '@causeway/plugin-requests-v3',
  '@causeway/plugin-operator',
  '@causeway/plugin-usage',
  '@causeway/plugin-realtime',
  '@causeway/plugin-webhooks',
] as const
