export { SOLANA_CHAIN_ID, type SvmOptions, svmOptions } from './options.js'
