export { type RunningHost, type StartHostOptions, startHost } from './application/startHost.js'
export { ConfigError, type ConfigProblem } from './config/configProblem.js'
export { type CausewayConfig, type ChainInput, defineConfig, type PricesInput } from './config/defineConfig.js'
export * from './doctor/runDoctor.js'
